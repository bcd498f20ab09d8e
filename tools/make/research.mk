# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The tinycontact authors
#
# Research: models, evaluations and comparisons. Their results are committed; these make them again.

## For maintainers, research:
models: ## train the committed models again (tests/models, a quarter of an hour)
evaluate: ## judge them: fresh states, 1,000 throws, other floors, logs, the paper's baseline (hours; tests/models/evaluation.csv)
hexagon: ## learn from 30 throws of a hexagon logged in MuJoCo, judge on 60 fresh ones (minutes; tests/models/hexagon.csv)
collide: ## throw two boxes at each other with the model of one, COUNT= times a pair of boxes (1000: minutes; tests/models/collide.csv); OUT=
speed: ## steps per second on the host beside DART's, MuJoCo's and (BOX2D=checkout) Box2D's own, side by side
sweep-speed: ## 1,000 throws in DART by one process and by one per core, in one run: time, and the same results
plan-evaluate: ## the paper's experiments on contact at a distance: tests/plan, docs/explanation/plans.md (an hour); NAME= one of them
hierarchy-speed: ## barriers of up to 6272 triangles by trees, beside the plain sum and IPC Toolkit: tests/barrier; MESHES=
rope-speed: ## the rope of paper 000, 200 ropes 5 steps forward and backward, beside the paper's seconds (tests/rope/speed.csv)
plan-push: ## push a box by plans of several methods and models, COUNT= starts each (20: two minutes; tests/plan/push.csv); BOARD= one of them there
impact-accuracy: ## impacts beside their floors: derivatives, Coulomb's residual and solves, lift, sticking (tests/impact/accuracy.csv); COUNT= OUT=
shape-peers: ## distances of convex pairs beside Coal, MuJoCo and Bullet in one run: how right, in what time (tests/shape/peers.csv)
scene-speed: ## a pile of four boxes for 10 s beside MuJoCo in one run: time per step, overlap, drift
cone-peers: ## the cone solver beside SCS, Clarabel, MuJoCo and Gauss-Seidel sweeps in one run: who is right, in what time (tests/cone/peers.csv)
toc-accuracy: ## times of contact beside the first root of the distance, and their derivatives (minutes; tests/toc/accuracy.csv); COUNT= OUT=
real-tosses: ## identify a cube from real tosses and judge it beside simulators, TOSSES=folder with train.csv, val.csv (minutes; build/real-tosses)
shape-experiments: ## identify shapes, masses and friction as the paper does, beside its numbers (minutes; tests/scene/evaluation.csv)
shape-spaces: ## train the learned shapes of shape-experiments (MESHES= a folder with spot.obj and blub.obj; minutes)
impact-evaluate: ## learn mu, e, masses of the paper's tasks, beside its numbers (minutes; tests/impact/evaluation.csv)
cdl-evaluate: ## train and judge the CD-Lagrange networks and their peers, 20 seeds (tests/cdl/evaluation.csv, report in build/cdl)
cdl-rows: ## what a step of K = 1 to 64 bodies in a row costs, from tests/measured.csv: a line (build/cdl_rows.png)
hil-evaluate: ## judge the contact estimators on fresh episodes (hours of one core; tests/hil/evaluation.csv, pictures in build/hil)
hil-scales: ## the same on legs of 0.3 to 30 kg, other encoders, noise and ticks (minutes; tests/hil/scales.csv)
hil-rates: ## the estimator at ticks of 0.25 to 5 ms, on two legs of its own (minutes; tests/hil/rates.csv)
hil-terrain: ## the same on stairs, a slope and a ball, known and unknown (a quarter of an hour; tests/hil/terrain.csv)
hil-faults: ## every fault of line, board and uploads, with 10,000,000 random bytes, on each emulated board or BOARD= (tests/hil/faults.csv)
robot-compare: ## the reader of URDF beside pinocchio and MuJoCo on other people's robots (a minute; tests/robot/robots.csv)
robots-sharing: ## one board for all feet beside one per limb, with and without the base shared over the line (minutes; tests/robots/sharing.csv)
robots-evaluate: ## judge estimators of all feet on simulated robots, SCALE= of the episodes (1: hours; tests/robots/evaluation.csv)

.PHONY: models evaluate hexagon impact-evaluate speed rope-speed cone-peers shape-peers toc-accuracy cdl-evaluate cdl-rows hil-evaluate robots-evaluate robots-sharing hil-terrain hil-scales hil-rates hil-faults real-tosses scene-speed
models:
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) tests/models/make.py
evaluate:
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) tests/models/evaluate.py
hexagon:
	@$(PYTHON) tools/setup --group demo train sim
	@$(VENV_PYTHON) tests/models/hexagon.py
.PHONY: collide
collide:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) tests/models/collide.py --count $(if $(filter file,$(origin COUNT)),1000,$(COUNT)) --out $(or $(OUT),tests/models/collide.csv)
BOX2D ?= $(wildcard $(THIRD)/box2d)
speed:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact.peers.speed --model tests/models/rectangle.tcm $(if $(BOX2D),--box2d $(BOX2D))
rope-speed:
	@$(PYTHON) tools/setup --group demo python
	@$(VENV_PYTHON) -m tinycontact.impact.rope_speed -o tests/rope/speed.csv
# A pile of four boxes beside MuJoCo; OUT=: as JSON.
scene-speed:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact.peers.pile $(if $(OUT),--json $(OUT))
cone-peers:
	@$(PYTHON) tools/setup --group demo peers
	@$(VENV_PYTHON) tests/cone/peers.py --count $(if $(filter file,$(origin COUNT)),100,$(COUNT)) -o $(or $(OUT),tests/cone/peers.csv)
# Cases per row; what it prints is tests/toc/accuracy.csv.
toc-accuracy:
	@$(PYTHON) tools/setup --group demo
	@PYTHONPATH=tools $(VENV_PYTHON) tests/toc/accuracy.py --count $(if $(filter file,$(origin COUNT)),2000,$(COUNT)) -o $(or $(OUT),tests/toc/accuracy.csv)
shape-peers:
	@$(PYTHON) tools/setup --group demo peers
	@$(VENV_PYTHON) -m tinycontact.peers.shapes --count $(if $(filter file,$(origin COUNT)),2000,$(COUNT)) -o $(or $(OUT),tests/shape/peers.csv)
# Potentials of many triangles by trees, beside the plain sum and IPC Toolkit. MESHES=: spot.obj and blub.obj.
.PHONY: hierarchy-speed
hierarchy-speed:
	@$(PYTHON) tools/setup --group demo peers
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(VENV_PYTHON) -m tinycontact.peers.hierarchy -o tests/barrier --plot build/hierarchy.png --page docs/explanation/barrier-trees.md \
	  $(if $(MESHES),--meshes $(MESHES))
# Real tosses of a cube: TOSSES= a folder with train.csv and val.csv; FEW=1: bodies from 50 and 20 of them.
real-tosses:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact.toss.compare --tosses $(TOSSES) --out $(or $(OUT),build/real-tosses) $(if $(FEW),--few)
impact-evaluate:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact impact evaluate --seeds 10 -o $(or $(OUT),tests/impact/evaluation.csv)
	@$(VENV_PYTHON) -m tinycontact.impact.evaluate_page $(or $(OUT),tests/impact/evaluation.csv) docs/explanation/impact-learning.md
cdl-evaluate:
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) -m tinycontact cdl evaluate --out tests/cdl/evaluation.csv --report build/cdl
hil-evaluate:
	@$(PYTHON) tools/setup --group demo train
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate -o tests/hil/evaluation.csv --report build/hil
# Robots of several limbs; SCALE=: a factor on the number of episodes.
robots-sharing:
	@$(PYTHON) tools/setup --group demo sim
	@PYTHONPATH=tools $(VENV_PYTHON) tests/robots/sharing.py -o $(or $(OUT),tests/robots/sharing.csv)
robots-evaluate:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate-robots --scale $(or $(SCALE),1) -o tests/robots/evaluation.csv
	@$(VENV_PYTHON) -m tinycontact.robots.page tests/robots/evaluation.csv tests/robots/README.md
hil-terrain:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate-terrain -o tests/hil/terrain.csv
hil-scales:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate-scales -o tests/hil/scales.csv
hil-rates:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact leg hil evaluate-rates -o tests/hil/rates.csv
# Other people's robots, as a package ships them, and pinocchio, in an environment of their own.
.PHONY: robot-compare
robot-compare:
	@$(PYTHON) -m venv build/robots
	@build/robots/bin/pip install -q pin==4.1.0 mujoco==4.0.0 example-robot-data==6.0.0
	@PYTHONPATH=tools build/robots/bin/python tests/robot/compare.py tests/robot/robots.csv $(or $(ROBOTS),build/robots/lib)
	@PYTHONPATH=tools build/robots/bin/python tests/robot/whole.py tests/robot/whole.csv $(or $(ROBOTS),build/robots/lib)

FAULTY := $(if $(filter file,$(origin BOARD)),$(BOARDS),$(BOARD))
hil-faults:
	@$(PYTHON) tools/setup --group demo sim
	@for b in $(FAULTY); do rm -f build/faults.csv; \
	  for t in line board upload; do HIL_BOARD=$$b HIL_RANDOM_BYTES=10000000 HIL_FAULTS=build/faults.csv \
	    $(VENV_PYTHON) tests/python/test_hil_faults_$$t.py > build/faults.log 2>&1 || { tail -n 20 build/faults.log; exit 1; }; done; \
	  { head -n 1 tests/hil/faults.csv; { tail -n +2 tests/hil/faults.csv | grep -v "^$$b,"; grep "^$$b," build/faults.csv; } | sort; } \
	    > build/faults.all && mv build/faults.all tests/hil/faults.csv; done

cdl-rows:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) $(EVIDENCE)/rows.py --measured $(MEASURED) --picture build/cdl_rows.png
# The paper's experiments on contact between shapes: tests/scene/evaluation.csv, and the tables of a page.
# shape-spaces: the nets of its learned shapes, from MESHES=, a folder with spot.obj and blub.obj.
.PHONY: shape-experiments shape-spaces
shape-spaces:
	@$(PYTHON) tools/setup --group demo python
	@$(VENV_PYTHON) -m tinycontact.scene.paper.spaces tests/scene --meshes $(or $(MESHES),../shared/data/meshes)
shape-experiments:
	@$(PYTHON) tools/setup --group demo sim
	@$(VENV_PYTHON) -m tinycontact scene evaluate all -o $(or $(OUT),tests/scene/evaluation.csv) --plot build/shape-experiments.png
	@$(VENV_PYTHON) -m tinycontact.scene.paper.tables $(or $(OUT),tests/scene/evaluation.csv) docs/explanation/identify-shapes.md

.PHONY: sweep-speed
sweep-speed:
	@$(PYTHON) tools/setup --group sim
	@PYTHONPATH=tools $(VENV_PYTHON) tests/sweep/speed.py

# The paper's experiments on contact at a distance: tests/plan, and the tables of a page. NAME= one of them.
.PHONY: plan-evaluate
PLAN_NAMES = properties book-stack derivatives billiards push time-step stiffness gather sort ant-push gather-animals
plan-evaluate:
	@$(PYTHON) tools/setup --group demo sim
	@for name in $(or $(NAME),$(PLAN_NAMES)); do $(VENV_PYTHON) -m tinycontact plan evaluate $$name \
	  -o tests/plan/$$(echo $$name | sed 's/^push$$/push-searches/').csv --resume build/plan-evaluate || exit 1; done
	@$(VENV_PYTHON) -m tinycontact.plan.page tests/plan docs/explanation/plans.md
