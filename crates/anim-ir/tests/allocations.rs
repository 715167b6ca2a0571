//! Sampling allocates on the first call only.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use anim_ir::{
    Channel, Interpolation, Joint, Mat4, Pose, Sampler, Skeleton, Skin, Target, TimelineBuilder,
};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn only_the_first_sample_allocates() {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    for joint in 0..20_usize {
        skeleton.joints.push(Joint::new("j", joint.checked_sub(1)));
        let times = [0.0, 0.5, 1.0];
        builder
            .keys(
                Target::Joint(joint),
                Channel::Rotation,
                Interpolation::Linear,
                &times,
                &[0.0, 0.0, 0.0, 1.0].repeat(3),
            )
            .unwrap();
        builder
            .keys(
                Target::Joint(joint),
                Channel::Translation,
                Interpolation::Step,
                &times,
                &[1.0; 9],
            )
            .unwrap();
        builder
            .keys(Target::Joint(joint), Channel::Scale, Interpolation::Cubic, &times, &[1.0; 27])
            .unwrap();
    }
    builder
        .keys(
            Target::Node(3),
            Channel::MorphWeights,
            Interpolation::Linear,
            &[0.0, 1.0],
            &[0.0; 10],
        )
        .unwrap();
    builder.constant(Target::Node(4), Channel::MorphWeights, &[0.0; 7]).unwrap();
    let timeline = builder.finish();
    let skin =
        Skin { skeleton: 0, joints: (0..20).collect(), inverse_bind: vec![Mat4::IDENTITY; 20] };

    let _profiler = dhat::Profiler::builder().testing().build();
    let mut sampler = Sampler::new(&skeleton, &timeline);
    let (mut pose, mut model, mut matrices) = (Pose::default(), Vec::new(), Vec::new());
    let mut frame = |time: f64| {
        sampler.sample(time, &mut pose);
        pose.model_matrices(&skeleton, &mut model);
        skin.matrices(&model, &mut matrices);
    };
    frame(0.0);
    // The harness has a thread of its own, which may allocate at any time: the fewest of several
    // runs are ours.
    let blocks = || dhat::HeapStats::get().total_blocks;
    let mut run = || {
        let before = blocks();
        (0..1000).for_each(|step| frame(f64::from(step) / 700.0 - 0.1));
        blocks() - before
    };
    assert_eq!((0..5).map(|_| run()).min(), Some(0));
}
