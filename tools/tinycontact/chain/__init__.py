# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""A trained body as the last link of a swinging chain (Algorithm 2, Fig. 8 and 9), beside DART.

  roll      runs of the library's own tc_limb2_step, and the chain they are of
  evaluate  how near they stay to DART, what they cost, what they violate
  plot      Fig. 9's histogram, and the angles
  cli       tinycontact leg swing
"""
