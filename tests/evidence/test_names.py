# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""The rules of names hold for lib/, and names.py sees each of them broken."""

import unittest
from pathlib import Path

from support import Folder

import names

ROOT = Path(__file__).resolve().parents[2]


class Library(unittest.TestCase):
    def test_prefixes(self):
        self.assertEqual([], [*names.prefix_faults(ROOT / "lib")])

    def test_enumerators(self):
        self.assertEqual([], [*names.enumerator_faults(ROOT / "lib")])

    def test_statics(self):
        self.assertEqual([], [*names.static_faults(ROOT / "lib")])

    def test_words_of_statics(self):
        self.assertEqual([], [*names.word_faults(ROOT / "lib")])

    def test_includes(self):
        self.assertEqual([], [*names.include_faults(ROOT / "lib")])

    def test_names_of_internal_headers(self):
        self.assertEqual([], [*names.internal_prefix_faults(ROOT / "lib")])
        declared = {name for path in (ROOT / "lib").glob("*/*_internal.h") for name, _ in names.declared_names(path.read_text())}
        for name in ("tci_lcp_one", "tci_lcp_four", "tci_lcp_rows", "tci_estimator_bank_many", "tci_mat_fail", "tci_scheme_step"):
            self.assertIn(name, declared)


    def test_names_of_configurations(self):
        self.assertEqual([], [*names.config_faults(ROOT / "lib")])


class Broken(Folder):
    def lib(self, **files):
        """lib/ with these files, <floor>__<name>=text, all headers in the umbrella."""
        folder = Path(self.path("lib"))
        for name, text in files.items():
            path = folder / (name.replace("__", "/", 1).replace("_dot_", "."))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        headers = [path.name for path in folder.glob("*/*.h") if "_internal" not in path.name]
        (folder / "tinycontact.h").write_text("".join(f'#include "{name}"\n' for name in headers))
        return folder

    def test_prefix(self):
        lib = self.lib(base__tc_a_dot_h="typedef struct tc_b { int c; } tc_b;\ntypedef int tc_a2;\nint tc_a_go(tc_b *b);\n"
                                        "/* tc_none(); */\nvoid tc_go(void);\n")
        self.assertEqual(["lib/base/tc_a.h: tc_b does not begin with tc_a", "lib/base/tc_a.h: tc_go does not begin with tc_a"],
                         [*names.prefix_faults(lib)])

    def test_enumerator(self):
        lib = self.lib(base__tc_a_dot_h="typedef enum tc_a_kind { TC_A_ONE = 0, TC_A_KIND_TWO, TC_B_THREE } tc_a_kind;\n"
                                        "enum { TC_FREE };\ntypedef enum tc_a { TC_A_FOUR = 4,\n    /* TC_C */ TC_FIVE, } tc_a;\n",
                       base__tc_status_dot_h="#define TC_STATUS_LIST(X) \\\n    X(TC_OK, 0, \"ok\") \\\n    X(TC_BAD, -1, \"bad\")\n"
                                             "typedef enum tc_status {\n#define TC_STATUS_ENUM(name, value, text) name = value,\n"
                                             "    TC_STATUS_LIST(TC_STATUS_ENUM)\n} tc_status;\n")
        self.assertEqual(["lib/base/tc_a.h: TC_B_THREE of tc_a_kind does not begin with TC_A or TC_A_KIND",
                          "lib/base/tc_a.h: TC_FIVE of tc_a does not begin with TC_A",
                          "lib/base/tc_status.h: TC_BAD of tc_status does not begin with TC_STATUS"],
                         sorted(names.enumerator_faults(lib)))

    def test_static(self):
        lib = self.lib(base__tc_a_dot_c="static int go(int a)\n{\n    static int own;\n    return own;\n}\n",
                       base__tc_b_dot_c="static const int go[2] = {1, 2};\nstatic void gone(void)\n{\n}\n")
        self.assertEqual(["go is static in lib/base/tc_a.c, lib/base/tc_b.c"], [*names.static_faults(lib)])

    def test_static_of_a_backend(self):
        lib = self.lib(base__tc_a_dot_c="static int row;\nenum {\n    KIND = 0,\n    MASS, PAD\n};\n",
                       math__tc_b_dot_c="enum { SIZE, KIND };\n")
        for folder, file, text in (("helium", "row.c", "static int row;\nstatic int own;\n"), ("portable", "row.c", "static int own;\n"),
                                   ("helium", "dense.c", "static int own_row;\n")):
            path = lib.parent / "port" / folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.assertEqual(["KIND is static in lib/base/tc_a.c, lib/math/tc_b.c", "row is static in lib/base/tc_a.c, port/helium/row.c"],
                         [*names.static_faults(lib)])

    def test_words(self):
        lib = self.lib(base__tc_a_dot_c="static int go(int a)\n{\n    return a;\n}\nstatic const int row[2] = {1, 2};\n",
                       base__tc_b_internal_dot_h="TC_MAT_INLINE void go_on(int a)\n{\n}\nLCP_COLD static int\n    two(void);\n"
                                                 "static __attribute__((noinline)) void relu(int n)\n{\n}\n")
        self.assertEqual(["lib/base/tc_a.c: the static function go has one word",
                          "lib/base/tc_b_internal.h: the static function relu has one word"], [*names.word_faults(lib)])

    def test_internal(self):
        lib = self.lib(base__tc_a_internal_dot_h="", base__tc_a_dot_c='#include "tc_a_internal.h"\n',
                       math__tc_b_dot_c='#include "tc_a_internal.h"\n')
        self.assertEqual(["lib/math/tc_b.c: includes tc_a_internal.h, which is another floor's own"],
                         [*names.include_faults(lib)])

    def test_path(self):
        lib = self.lib(base__tc_a_dot_h='#include "../math/tc_b.h"\n/* "x/y.h"\n#include "x/y.h"\n*/\n',
                       math__tc_b_dot_h=' # include "port/tc_kernel_mat.h"\n#include <sys/types.h>\n')
        self.assertEqual(["lib/base/tc_a.h: includes ../math/tc_b.h by a path",
                          "lib/math/tc_b.h: includes port/tc_kernel_mat.h by a path"], [*names.include_faults(lib)])

    def test_kernel_contract(self):
        lib = self.lib(base__tc_a_dot_c='#include "tc_kernel_mat.h"\n', math__tc_b_dot_c='#include "tc_kernel_mat.h"\n',
                       net__tc_c_dot_h='#include "tc_kernel_mat.h"\n#include "tc_kernel_net.h"\n',
                       cdl__tc_d_dot_c='#include "tc_kernel_net.h"\n#include "tc_kernel_new.h"\n')
        self.assertEqual(["lib/base/tc_a.c: includes tc_kernel_mat.h, which its floor does not see",
                          "lib/cdl/tc_d.c: includes tc_kernel_new.h, which its floor does not see",
                          "lib/net/tc_c.h: includes tc_kernel_mat.h, which its floor does not see"],
                         [*names.include_faults(lib)])

    def test_internal_prefix(self):
        lib = self.lib(solve__tc_lcp_internal_dot_h='''#define GO(x) go(x)
typedef struct lcp_state lcp_state;
struct lcp_state {
    int (*call)(lcp_state *s);
};
typedef int tci_method(const lcp_state *s, int (*next)(void));
tci_method tci_one, two;
tci_method
    three;
__attribute__((noinline)) int tci_four(int a); /* int six(void); */
extern const lcp_state tci_table, table[2];
static inline int lcp_seven(int a)
{
    int own = a;
    return own;
}
static const int eight[2] = {1, 2};
int lcp_nine(lcp_state *s);
''')
        at = "lib/solve/tc_lcp_internal.h: "
        self.assertEqual([f"{at}{name} does not begin with tci_" for name in ("two", "three", "table", "eight", "lcp_nine")],
                         [*names.internal_prefix_faults(lib)])

    def test_names_of_configurations(self):
        lib = self.lib(base__tc_a_dot_h="int tc_a_go(int b);\nextern const int tc_a_table;\nint tc_a_new(void);\n"
                                        "static inline int tc_a_own(void)\n{\n    return 0;\n}\n",
                       base__tc_config_names_dot_h="".join(f"#define {name} TC_NAME_NET({name})\n" for name in
                                                           ("tc_a_go", "tc_a_table", "tc_a_table", "tc_a_old")))
        at = "lib/base/tc_config_names.h: "
        self.assertEqual([f"{at}tc_a_new is listed 0 times", f"{at}tc_a_old is listed 1 times, and no public header declares it",
                          f"{at}tc_a_table is listed 2 times"], [*names.config_faults(lib)])


if __name__ == "__main__":
    unittest.main()
