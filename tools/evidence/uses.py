#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Writes tools/tinycontact/costs.csv, what `tinycontact board fits` adds up, from tests/measured.csv.

A use is what a user calls in a tick. Its cost is the worst that was measured: of the bench's draws, or of
tests/hunt if that is more. --write renews the file, --check fails if it shows other numbers.
"""
import argparse

import common

CORES = {"cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500", "cortex-m55": "mps3-an547"}
# use, what it is, item, function whose stack counts, footprint or ""
USES = (
    ("estimator2", "contact estimator, a leg of 2 joints", "estimator_update/2", "tc_estimator_update", "estimator_two"),
    ("estimator6", "contact estimator, a leg of 3 to 6 joints", "estimator_update/6", "tc_estimator_update", "estimator_many"),
    ("feet3", "contact estimator in space, one limb of 3 joints", "feet_update/3", "tc_feet_update", ""),
    ("feet7", "contact estimator in space, one limb of 7 joints", "feet_update/7", "tc_feet_update", ""),
    ("feet12", "contact estimator of a quadruped, 4 limbs of 3 joints", "feet_update/4x3", "tc_feet_update", ""),
    ("predict", "the leg's next event, 20 steps ahead", "estimator_predict_most/2", "tc_estimator_predict", ""),
    ("momentum", "momentum observer, up to 6 joints", "momentum_update/6", "tc_momentum_update", ""),
    ("foot2", "step of a planar body, learned contact, nets 16-16", "foot2_step_edge/16-16", "tc_foot2_step", "contact_float_const"),
    ("foot3", "step of a box on its face, learned contact", "foot3_step_face/4+8-8", "tc_foot3_step", ""),
    ("limb2", "step of a chain of 3 links in the plane", "limb2_step_bound/3", "tc_limb2_step", ""),
    ("limb3", "step of a chain of 3 links in space, a face touches", "limb3_step_face/3", "tc_limb3_step", ""),
    ("cone", "frictional impulses of 4 contacts of a box", "cone3_box/4", "tc_cone_solve", ""),
    ("impact", "impact of a box on 4 contacts, both phases", "impact3_box/4", "tc_impact_solve", ""),
    ("identify", "floor identified from one impact of a box", "identify_update/body3", "tc_identify_update", ""),
    ("bounce", "ball's radius from 45 observations", "bounce_identify/radius", "tc_bounce_identify", ""),
    ("implicit", "implicit step of two planar bodies in contact", "implicit_step/push_contact", "tc_implicit_step", ""),
    ("plan", "gradient of a plan of 20 knots in contact", "plan_gradient/push20_touch", "tc_plan_gradient", ""),
    ("net", "net 8-32-32-16-3 with tanh", "mlp_tanh_f32/8-32-32-16-3", "tc_net_eval", "net_eval_table"),
)
HEAD = ("# What uses of the library cost, from tests/measured.csv (tools/evidence/uses.py). SPDX-License-Identifier: MIT\n"
        "use,text,core,instructions,cycles,stack,flash,ram\n")


def worst(measured, kind, item, board):
    found = [measured[key] for end in ("public", "public-worst", "public-seen")
             if (key := (kind, f"{item}/{end}", board, "exact")) in measured]
    if not found:
        raise common.Fault(f"no {kind} of {item} on {board} in the measurements")
    return max(found)


def rows(measured):
    for use, text, item, function, footprint in USES:
        for core, board in CORES.items():
            instructions, cycles = (worst(measured, kind, item, board) for kind in ("instructions", "cycles"))
            drawn = max(measured.get(("instructions", f"{item}/{end}", board, "exact"), 0) for end in ("public", "public-worst"))
            # The hunted worst has no cycles of its own: as many per instruction as the drawn worst.
            cycles = -(-cycles * instructions // drawn)
            memory = [measured.get((kind, name, board, "exact"), "") if footprint else "" for kind, name in
                      (("footprint", footprint), ("bss", f"footprint {footprint}"))]
            yield [use, f'"{text}"', core, instructions, cycles, measured[("stack", function, board, "exact")], *memory]


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measured", default="tests/measured.csv")
    parser.add_argument("--file", default="tools/tinycontact/costs.csv")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(words)
    text = HEAD + "".join(",".join(map(str, row)) + "\n" for row in rows(common.read_measured(options.measured)))
    if options.check:
        same = common.read_text(options.file) == text
        print(f"{options.file}: " + ("as measured" if same else "other numbers than tests/measured.csv: run make reference"))
        return 0 if same else 1
    if options.write:
        common.write_text(options.file, text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    common.main(main)
