# Plays state machines with an AnimationTree and prints the transforms of all nodes as JSON.
# cases.json lists, for each case, its GLB, its state machine, the states and the times.
extends SceneTree

func _initialize():
    var file = File.new()
    file.open("res://cases.json", File.READ)
    var input = JSON.parse(file.get_as_text()).result
    file.close()
    var output = []
    for case in input.cases:
        output.append(play(case, input.step))
    file.open("res://poses.json", File.WRITE)
    file.store_string(JSON.print(output))
    file.close()
    quit()

func play(case, step):
    var machine = load("res://" + case.machine)
    var poses = {}
    for state in case.states:
        var scene = load("res://" + case.scene).instance()
        get_root().add_child(scene)
        var tree = AnimationTree.new()
        tree.tree_root = machine
        tree.process_mode = AnimationTree.ANIMATION_PROCESS_MANUAL
        tree.anim_player = NodePath("../AnimationPlayer")
        scene.add_child(tree)
        tree.active = true
        var playback = tree.get("parameters/playback")
        # The first step enters the start state, whatever was asked for.
        tree.advance(0)
        # The state is entered twice, the second time while its first key may still be blending.
        for seconds in [0.7, 0]:
            playback.start(state)
            tree.advance(0)
            for _frame in range(seconds * 64):
                tree.advance(1.0 / 64)
        var done = 0
        poses[state] = []
        for count in case.steps:
            while done < count:
                tree.advance(step)
                done += 1
            var pose = {}
            for node in scene.get_children():
                if node is Spatial:
                    pose[node.name] = numbers(node.transform)
            poses[state].append(pose)
        if playback.get_current_node() != state:
            poses[state] = []
        scene.free()
    return poses

# The columns of the matrix.
func numbers(transform):
    var all = []
    for axis in [transform.basis.x, transform.basis.y, transform.basis.z, transform.origin]:
        all += [axis.x, axis.y, axis.z]
    return all
