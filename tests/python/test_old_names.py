# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""lib/tinycontact_old_names.h: each name of version 0.1 still compiles, and means something that is there."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import INCLUDES, ROOT

HEADER = ROOT / "lib" / "tinycontact_old_names.h"
# How a source of version 0.1 looked (its README's example, and each call whose arguments changed).
EXAMPLE = """
#include "tinycontact_old_names.h"
static tc_dacm foot;
static tc_dacm_nets nets;
static tc_real work[TC_DACM_WORK(16u)];
tc_status read_records(const tc_model *model, tc_contact_record *contact, tc_system_record *system);
tc_status read_records(const tc_model *model, tc_contact_record *contact, tc_system_record *system)
{
    const tc_status status = tc_model_contact(model, contact);
    return status < 0 ? tc_model_system(model, system) : status;
}
tc_status open_foot(const tc_model *model, const tc_planar_body *body, const tc_planar_shape *shape);
tc_status open_foot(const tc_model *model, const tc_planar_body *body, const tc_planar_shape *shape)
{
    const tc_status status = tc_dacm_open(&foot, &nets, model, body, TC_C(0.001));
    foot.shape = *shape;
    foot.positions = TC_POSITIONS_GAP;
    return status;
}
tc_status step_foot(tc_planar_state *state, tc_dacm_info *info);
tc_status step_foot(tc_planar_state *state, tc_dacm_info *info)
{
    const tc_status status = tc_dacm_step(&foot, 0, state, info, work, TC_COUNT(work));
    return info->decision.branch == TC_CONTACT_STATIC ? status : TC_NOTE_CONTACT;
}
static tc_real scratch[TC_ROOT_WORK(2) + TC_MAT_PSD_WORK(2) + TC_LCP_WORK(2) + TC_MODEL_SELFTEST_WORK(16)];
static tc_real room[TC_CDL_ROOM(2, 1, 1)], cdl_work[TC_CDL_WORK(2, 1, 1, TC_CDL_LCP_WORK + TC_CDL_NET_WORK(8))];
static tc_real state[TC_ESTIMATOR_STATE(2)], tick_work[TC_ESTIMATOR_WORK(2) + TC_DACM_WORK(8)];
_Static_assert(TC_SPATIAL_WORK(8) >= TC_SPATIAL_ROOM + TC_SPATIAL_NETS_ROOM + TC_NET_WORK(8), "as it was made up");
_Static_assert(TC_SPATIAL_LIMB_WORK(6, 9) >= 36u + 90u + TC_SPATIAL_LIMB_ROOM + 9u, "as it was made up");
tc_status start(tc_cdl *cdl, const tc_cdl_config *config, tc_estimator *e, const tc_estimator_config *settings, const tc_leg *leg,
                const tc_leg_sensors *sensors, tc_leg_estimate *estimate);
tc_status start(tc_cdl *cdl, const tc_cdl_config *config, tc_estimator *e, const tc_estimator_config *settings, const tc_leg *leg,
                const tc_leg_sensors *sensors, tc_leg_estimate *estimate)
{
    tc_real Q[2] = {0.0f, 1.0f}, V[2] = {0.0f, 0.0f};
    tc_status status = tc_cdl_init(cdl, config, room, TC_COUNT(room));
    status = status < 0 ? status : tc_cdl_step(cdl, 0, Q, V, 0, cdl_work, TC_COUNT(cdl_work));
    status = status < 0 ? status : tc_estimator_init(e, settings, leg, 0, sensors, state, TC_COUNT(state));
    return status < 0 ? status : tc_estimator_update(e, sensors, estimate, tick_work, TC_COUNT(tick_work));
}
tc_status solve_all(const tc_lcp *lcp, tc_real *z, tc_real *w, tc_lcp_info *info, tc_mat_psd_info *psd);
tc_status solve_all(const tc_lcp *lcp, tc_real *z, tc_real *w, tc_lcp_info *info, tc_mat_psd_info *psd)
{
    tc_status status = tc_lcp_solve(lcp, z, w, scratch, TC_COUNT(scratch), info);
    status = status < 0 ? status : tc_lcp_from_matrix(lcp, z, w, scratch, TC_COUNT(scratch), info);
    status = status < 0 ? status : tc_lcp_from_rows(lcp, z, w, scratch, TC_COUNT(scratch), NULL);
    return status < 0 ? status : tc_mat_psd_solve(lcp->M, lcp->q, z, 2u, scratch, TC_COUNT(scratch), psd);
}
tc_status find(tc_root_function function, tc_real *x, tc_real *residual, tc_root_info *info);
tc_status find(tc_root_function function, tc_real *x, tc_real *residual, tc_root_info *info)
{
    const tc_root_config config = tc_root_default();
    return tc_root_solve(&config, 2u, function, NULL, x, residual, scratch, TC_COUNT(scratch), info);
}
tc_status read_all(tc_model *model, tc_model_selftest_info *info, tc_estimator_record *record, const uint8_t *bytes);
tc_status read_all(tc_model *model, tc_model_selftest_info *info, tc_estimator_record *record, const uint8_t *bytes)
{
    const tc_status status = tc_model_selftest(model, scratch, TC_COUNT(scratch), info);
    return status < 0 ? status : tc_estimator_record_read(record, bytes, 9u);
}
tc_status ask(const tc_dacm_law *law, const tc_dacm_query *query, tc_dacm_decision *decision);
tc_status ask(const tc_dacm_law *law, const tc_dacm_query *query, tc_dacm_decision *decision)
{
    return tc_dacm_ratio(law, query, decision, work);
}
"""


def compiles(text, *flags):
    with tempfile.TemporaryDirectory() as there:
        (Path(there) / "main.c").write_text(text)
        return subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, *INCLUDES, "-I", there,
                               "-fsyntax-only", f"{there}/main.c"], capture_output=True, text=True, check=False)


class OldNames(unittest.TestCase):
    def test_a_source_of_before(self):
        done = compiles(EXAMPLE)
        self.assertEqual(0, done.returncode, done.stderr)

    def test_each_name_is_there(self):
        """Types are declared with, functions have an address, constants are defined."""
        sections = re.split(r"/\* ---- ", HEADER.read_text())
        uses = []
        for title, form in (("Types", "{} *p{};"), ("Functions", "const void *const f{1} = (const void *)&{0};")):
            text, = (section for section in sections if section.startswith(title))
            names = re.findall(r"^#define (\w+) \w+$", text, re.M)
            self.assertGreater(len(names), 50)
            uses += [form.format(name, number) for number, name in enumerate(names)]
        done = compiles('#include "tinycontact_old_names.h"\nvoid all(void);\nvoid all(void)\n{\n' + "\n".join(uses) + "\n}\n",
                        "-Wno-pedantic", "-Wno-unused-variable")
        self.assertEqual(0, done.returncode, done.stderr[:3000])
        public = "".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in (ROOT / "lib").glob("*/*.h"))
        text, = (section for section in sections if section.startswith("Constants"))
        for old, new in re.findall(r"^#define (\w+) (\w+)$", text, re.M):
            self.assertRegex(public, rf"\b{new}\b", old)


if __name__ == "__main__":
    unittest.main()
