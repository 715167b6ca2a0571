//! Hostile scenes give a small diagram or an error, and never invalid SVG.

use anim_ir::{
    Channel, Clip, ClipId, Event, Interpolation, JointId, Limits, Scene, SequenceOrder,
    TimelineBuilder, Wave, WaveShape,
};
use anim_preview::{DiagramError, DiagramOptions, curves, states, timeline};

use crate::curves::scene;
use crate::drawn::parsed;
use crate::states::machine;

type Draw = fn(&Scene) -> Result<String, DiagramError>;

const ALL: [Draw; 3] = [
    |scene| curves(scene, ClipId::new(0), &DiagramOptions::default()),
    |scene| timeline(scene, &DiagramOptions::default()),
    |scene| states(scene, &DiagramOptions::default()),
];

#[test]
fn hostile_names_are_escaped_and_shortened() {
    let names = [
        "<script>alert('&amp;')</script>\"]]>".to_owned(),
        "\u{0}\u{1b}[2J\u{fffe}\u{ffff}\r\n\t".to_owned(),
        "\u{202e}right to left".to_owned(),
        "x".repeat(10_000),
        String::new(),
        "名前".repeat(50),
    ];
    for name in names {
        let mut scene = scene();
        scene.name.clone_from(&name);
        scene.skeletons[0].joints[0].name.clone_from(&name);
        scene.timelines[0].name.clone_from(&name);
        scene.timelines[0].events[0].name.clone_from(&name);
        for clip in &mut scene.clips {
            clip.name.clone_from(&name);
            clip.group = Some(name.clone());
        }
        let mut of_states =
            machine(&[&name, "b"], &[(&name, SequenceOrder::LoopForwards, &[0, 1])]);
        of_states.machines[0].name.clone_from(&name);
        for (draw, scene) in ALL.iter().zip([&scene, &scene, &of_states]) {
            let svg = draw(scene).unwrap();
            let document = parsed(&svg);
            assert!(document.descendants().all(|node| !node.has_tag_name("script")));
            let texts = document.descendants().filter(|node| node.has_tag_name("text"));
            for text in texts {
                let shown = text.last_child().and_then(|child| child.text()).unwrap_or_default();
                assert!(shown.chars().count() < 400, "{shown}");
            }
        }
    }
}

#[test]
fn extreme_numbers_stay_finite() {
    for (times, values) in [
        ([-3e38_f32, 3e38], [-3e38_f32, 3e38]),
        ([0.0, 1e-45], [1e-45, 0.0]),
        ([1e30, 1.000_001e30], [5.0, 5.000_000_5]),
        ([0.0, 1e-30], [3e38, -3e38]),
    ] {
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::Cubic] {
            let parts = interpolation.values_per_key();
            let keys: Vec<f32> = values.iter().flat_map(|value| vec![*value; 3 * parts]).collect();
            let mut builder = TimelineBuilder::new("t");
            let target = JointId::new(0).into();
            builder.keys(target, Channel::Translation, interpolation, &times, &keys).unwrap();
            let wave = Wave {
                shape: WaveShape::Growth,
                start: [values[0]; 3],
                period: 1e-45,
                offset: values[1],
                ..Wave::default()
            };
            builder.wave(target, Channel::Offset, wave).unwrap();
            let mut scene = scene();
            scene.timelines[0] = builder.finish();
            scene.clips =
                vec![Clip { start: times[0], end: times[1], ..Clip::default() }, Clip::default()];
            for draw in &ALL[..2] {
                parsed(&draw(&scene).unwrap());
            }
        }
    }
}

#[test]
fn scenes_that_are_not_consistent_are_refused() {
    let mut scene = scene();
    scene.clips[0].end = f32::NAN;
    for draw in ALL {
        assert!(matches!(draw(&scene), Err(DiagramError::Invalid(_))));
    }
}

#[test]
fn a_diagram_that_is_too_large_names_its_limit() {
    let limits = Limits { memory: Some(20_000), ..Limits::default() };
    let options = DiagramOptions::default().with_limits(limits);
    for error in [curves(&scene(), ClipId::new(0), &options), timeline(&scene(), &options)]
        .map(|drawn| drawn.unwrap_err().to_string())
    {
        assert!(
            error.starts_with("the elements of the diagram need a memory limit of at least "),
            "{error}"
        );
        assert!(error.contains("(`--max-memory`)"), "{error}");
    }
}

#[test]
fn events_of_many_overlapping_clips_are_drawn() {
    let mut many = scene();
    many.clips = (0..2_000_u16).map(|_| many.clips[0].clone()).collect();
    many.timelines[0].events = (0..2_000_u16)
        .map(|number| Event { time: f32::from(number) / 1_000.0, ..Event::default() })
        .collect();
    let svg = timeline(&many, &DiagramOptions::default()).unwrap();
    assert!(svg.len() < 1_000_000, "{}", svg.len());
}
