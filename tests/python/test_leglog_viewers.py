# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Logs and runs for viewers: MCAP, read back by its own project's reader, and a page, drawn in a browser where one
is."""
import collections
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

from tinycontact_case import Temporary
from tinycontact.hil import run
from tinycontact.hil.parameters import parameters
from tinycontact.leglog import demo, estimate, mcap, recording, rrd
from tinycontact.leglog import html as pages

try:
    from mcap.reader import make_reader
except ImportError:
    make_reader = None
try:
    import rerun
except ImportError:
    rerun = None
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


class Made(Temporary):
    @classmethod
    def setUpClass(cls):
        cls.result = estimate.run(demo.LEG, demo.LOG, checked=False)
        cls.recorded = recording.of_result(cls.result)


@unittest.skipIf(make_reader is None, "the package mcap is not there (make setup GROUPS=sim)")
class Mcap(Made):
    def read(self, path):
        """(summary, {topic: [(nanoseconds, message)]}) with every checksum that the file has."""
        found = collections.defaultdict(list)
        with open(path, "rb") as file:
            reader = make_reader(file, validate_crcs=True)
            summary = reader.get_summary()
            for schema, channel, message in reader.iter_messages():
                self.assertEqual((channel.message_encoding, schema.encoding), ("json", "jsonschema"))
                said = json.loads(message.data)
                self.assertLessEqual(set(said), set(json.loads(schema.data)["properties"]), channel.topic)
                found[channel.topic].append((message.log_time, said))
        return summary, found

    def test_there_and_back(self):
        mcap.write("log.mcap", self.recorded)
        summary, found = self.read("log.mcap")
        r, ticks = self.result, len(self.result.time)
        self.assertEqual(set(found), {"/leg/sensors", "/leg/estimate", "/leg/truth", "/leg/observer", "/leg/scene"})
        self.assertEqual(summary.statistics.message_count, sum(map(len, found.values())))
        self.assertGreater(summary.statistics.chunk_count, 1)
        for topic in ("/leg/sensors", "/leg/estimate", "/leg/truth", "/leg/observer"):
            np.testing.assert_allclose([time * 1e-9 for time, _ in found[topic]], r.time, atol=1e-9)
        said = [message for _, message in found["/leg/estimate"]]
        np.testing.assert_allclose([[m["p_air"], m["p_stick"], m["p_slip"]] for m in said], r.p, atol=1e-6)
        self.assertEqual([m["contact"] for m in said], r.contact.tolist())
        self.assertEqual([m["contact"] for _, m in found["/leg/truth"]], r.truth.tolist())
        q = np.array([m["q"] for _, m in found["/leg/sensors"]])
        np.testing.assert_allclose(q, r.log.q, atol=2e-6)
        np.testing.assert_allclose([m["gyro_y"] for _, m in found["/leg/sensors"]], r.log.gyro, atol=1e-6)
        self.assertEqual(len(found["/leg/scene"]), ticks // 10)

    def test_parts_can_be_read(self):
        """A reader that seeks: a second in the middle, by the index alone."""
        mcap.write("log.mcap", self.recorded)
        with open("log.mcap", "rb") as file:
            with warnings.catch_warnings(action="ignore"):   # newer versions have other names for the span
                times = [message.log_time
                         for _, _, message in make_reader(file).iter_messages(["/leg/estimate"], int(2e9), int(3e9))]
        self.assertEqual((len(times), times[0], times[-1]), (500, int(2e9), 2998000000))

    def test_the_scene(self):
        """The leg stands on the floor while it touches: links as long as they are, the foot's centre a radius up."""
        mcap.write("log.mcap", self.recorded)
        feet = []
        for time, message in self.read("log.mcap")[1]["/leg/scene"]:
            (entity,) = message["entities"]
            points = np.array([[p["x"], p["z"]] for p in entity["lines"][0]["points"]])
            lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
            np.testing.assert_allclose(lengths, [0, 0.25, 0.22], atol=1e-4)
            stamp = entity["timestamp"]
            self.assertEqual(stamp["sec"] * 10**9 + stamp["nsec"], time)
            if self.result.contact[round(time * 1e-9 / self.result.tick)]:
                feet.append(points[-1, 1])
        self.assertLess(abs(np.median(feet) - 0.02), 2e-3)

    def test_of_a_run(self):
        self.command("leg hil run", "--board", "host", "--plant", "hopper", "--seconds", 0.6, "--mcap", "--html", "-o",
                     "out")
        summary, found = self.read("out/log.mcap")
        self.assertEqual(summary.statistics.channel_count, 4)
        self.assertEqual([len(found[topic]) for topic in ("/leg/sensors", "/leg/estimate", "/leg/truth")], [600] * 3)
        self.assertIn("force_z", found["/leg/truth"][0][1])
        self.assertTrue("hopper on host, seed 0" in Path("out/report.html").read_text())


class Rerun(Made):
    """What Rerun gets; with its package, by that package's own tool."""

    def test_the_curves_are_those_of_mcap(self):
        r, found = self.recorded, rrd.curves(self.recorded)
        self.assertTrue(all(len(values) == len(r) and values.dtype == float for values in found.values()))
        for path, wanted in (("estimate/p_stick", r.p[:, 1]), ("truth/contact", r.true > 0), ("sensors/q/2", r.file_signs()[0][:, 1]),
                             ("sensors/tau/1", r.file_signs()[1][:, 0]), ("estimate/force_z", r.force[:, 1])):
            np.testing.assert_array_equal(found[path], wanted, path)

    @unittest.skipIf(rerun, "rerun-sdk is there")
    def test_what_is_missing_is_named(self):
        for words in (("leg estimate", "--chain", demo.LEG, demo.LOG, "--rerun", "log.rrd"),
                      ("leg hil run", "--plant", "hopper", "--rerun", "-o", "out")):
            _, told = self.command(*words, status=2)
            self.assertIn("pip install rerun-sdk", told)
            self.assertFalse(Path("out").exists())

    @unittest.skipUnless(rerun, "rerun-sdk is not installed: pip install rerun-sdk (170 MB)")
    def test_its_own_tool_reads_it(self):
        self.command("leg estimate", "--chain", demo.LEG, demo.LOG, "--rerun", "log.rrd")
        for words, wanted in ((("verify",), ["verified without error"]),
                              (("print",), ["/leg/links", "/leg/foot", "/floor", *(f"/{path}" for path in rrd.curves(self.recorded))])):
            done = subprocess.run([sys.executable, "-m", "rerun", "rrd", *words, "log.rrd"], text=True, check=True,
                                  capture_output=True)
            for word in wanted:
                self.assertIn(word, done.stdout + done.stderr)


class _Tags(html.parser.HTMLParser):
    """The text of the JSON in a page, and all that it would fetch."""

    def __init__(self, text):
        super().__init__()
        self.inside, self.data, self.fetched, self.open = False, "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.inside = given.get("id") == "data"
        self.fetched += [given[name] for name in ("src", "href") if name in given]
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
        self.inside = False

    def handle_data(self, data):
        self.data += data if self.inside else ""


class Page(Made):
    def test_what_it_draws(self):
        """Nothing is fetched; the numbers are the result's; words of a log cannot become tags."""
        self.recorded.findings, title = ["<script>alert(1)</script>"], self.recorded.title
        self.recorded.title = "</title><b>DATA & TITLE"
        text = pages.page(self.recorded)
        self.recorded.findings, self.recorded.title = [], title
        tags = _Tags(text)
        self.assertEqual((tags.fetched, tags.open), ([], []))
        self.assertIsNone(re.search(r"https?:|@import|url\(", text))
        self.assertFalse("<script>alert" in text)
        self.assertTrue("&lt;/title&gt;&lt;b&gt;DATA &amp; TITLE" in text)
        data = json.loads(tags.data)
        self.assertEqual(data["findings"], ["<script>alert(1)</script>"])
        self.assertEqual([row["name"] for row in data["rows"]], ["estimated", "true", "observer"])
        modes = np.zeros(len(self.result.time), int)
        for begin, end, mode in data["rows"][0]["runs"]:
            modes[round(begin / self.result.tick):round(end / self.result.tick)] = mode
        np.testing.assert_array_equal(modes, self.result.modes())
        self.assertEqual(len(data["frames"]), len(data["force"]))
        self.assertAlmostEqual(len(data["frames"]) * data["step"], 6.0, places=2)
        frames = np.array(data["frames"]).reshape(len(data["frames"]), -1, 2)
        low, high, left, right = data["box"]
        # the base does not jump, nor where the floor is known
        self.assertLess(np.abs(np.diff(frames[:, 0, 1])).max(), 0.02)
        self.assertTrue(low < frames[..., 1].min() and frames[..., 1].max() < high)
        self.assertTrue(left < frames[..., 0].min() and frames[..., 0].max() < right)

    def test_a_log_without_contact(self):
        """All air, without truth: a page nevertheless."""
        self.recorded.modes, kept = 0 * self.recorded.modes, self.recorded.modes
        self.recorded.true, true = None, self.recorded.true
        text = pages.page(self.recorded)
        self.recorded.modes, self.recorded.true = kept, true
        self.assertEqual(json.loads(_Tags(text).data)["rows"][0]["runs"], [])

    def shown(self):
        """What the probe in page.html says of itself in the browser's log: at any pace, within
        two minutes."""
        browser = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             f"--user-data-dir={self.folder}/profile", f"file://{self.folder}/page.html"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        late = threading.Timer(120, os.killpg, (browser.pid, signal.SIGKILL))
        late.start()
        seen, log = None, []
        for line in browser.stderr:
            log.append(line)
            seen = seen or re.search(r"seen (\{.*\}) done", line)
            if seen and late.is_alive():
                late.cancel()
                os.killpg(browser.pid, signal.SIGKILL)
        late.cancel()
        browser.stderr.close()
        browser.wait()
        self.assertIsNotNone(seen, "".join(log[-30:]))
        return json.loads(seen[1])

    @unittest.skipIf(BROWSER is None, "no chromium here: the page is parsed, not drawn")
    def test_in_a_browser(self):
        """Its script runs to the end and draws in all three places; a click on play moves it forward, and a second
        one stops it."""
        pages.write("page.html", self.recorded)
        text = Path("page.html").read_text()
        probe = """<script>
const colours_of = id => { const c = document.getElementById(id), d = c.getContext("2d").getImageData(0, 0, c.width,
  c.height).data, seen = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 250) seen.add((d[i] << 16) +
  (d[i + 1] << 8) + d[i + 2]); return seen.size; };
const time = () => Number(document.getElementById("now").textContent.split(" ")[0]);
const times = [time()];
const frames = then => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(then)));
const watch = new MutationObserver(() => {
  if (times.push(time()) < 6 || time() <= times[0]) return;
  watch.disconnect();
  document.getElementById("play").click();
  const stopped = time();
  frames(() => console.log("seen " + JSON.stringify({times: times, after: time() - stopped, drawn:
    document.body.dataset.drawn, text: document.body.innerText, colours: ["leg", "near", "whole"].map(colours_of)}) +
    " done"));
});
watch.observe(document.getElementById("now"), {childList: true, characterData: true, subtree: true});
document.getElementById("play").click();
</script></body>"""
        Path("page.html").write_text(text.replace("</body>", probe))
        seen = self.shown()
        leg, near, whole = seen["colours"]
        self.assertTrue(leg >= 3 and near >= 4 and whole >= 4, (leg, near, whole))
        times = np.array(seen["times"])
        self.assertAlmostEqual(times[0], json.loads(_Tags(text).data)["begin"], places=3)
        self.assertTrue((np.diff(times) >= 0).all(), times)
        self.assertGreater(times[-1], times[0])
        self.assertEqual((seen["after"], seen["drawn"]), (0, "1"))
        self.assertIn("99.73", seen["text"])


class Outcome(Temporary):
    def test_a_run_as_a_recording(self):
        """Its poses are the plant's: the foot as high over the floor as it was."""
        chain = str(run.plant_chain("leg").path)
        options = run.Options("leg", chain, board="host", seconds=0.5, seed=2)
        outcome = run.run(options, "out", parameters)
        made = recording.of_outcome("a run", outcome, [])
        rows = np.arange(0, 500, 25)
        poses = made.poses(rows)
        foot = poses[:, -1, 1] - outcome.chain.foot.radius
        np.testing.assert_allclose(foot, outcome.height[rows], atol=2e-3)
        np.testing.assert_allclose(made.file_signs()[0], outcome.chain.planar().sign * outcome.episode.encoder)


if __name__ == "__main__":
    unittest.main()
