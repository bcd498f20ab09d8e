# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
"""Shapes by signed distance: made from meshes and height maps, inspected, checked, converted.

mesh.py          triangle meshes from .obj and .stl
meshcheck.py     what is wrong with a mesh
meshdistance.py  exact signed distance to a mesh
mass.py          mass properties of a closed mesh
primitives.py    spheres, boxes and so on in float64
grid.py          int8 grids: made, evaluated, judged
gridfile.py      their file (.tcs)
netshape.py      learned shapes in model files (.tcm)
netmake.py       a learned shape of one or two meshes
nettrain.py      the training of its net
points.py        points of a surface, spread evenly
shapefile.py     shapes as JSON
sdf.py           signed distances by the library
flash.py         a shape as a pair of C files
field.py         the zero level of a field as triangles
heightmap.py     height maps from .png and .csv
terrain.py       the int16 terrain of a height map
picture.py       pictures
cli.py           the commands
"""
