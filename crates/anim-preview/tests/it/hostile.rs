//! Scenes that must not cause panics or exceed the limits.

use crate::{camera, draw, options, triangles};
use anim_ir::{Image, ImageId, Material, Scene};
use anim_preview::{
    CODES, Moment, Picture, PreviewOptions, Stage, animated_png, contact_sheet, gif,
};

#[test]
fn numbers_that_are_not_finite_are_left_out() {
    for bad in [f32::NAN, f32::INFINITY, f32::MIN] {
        let corners = [[bad, 0.0, -2.0], [1.0, bad, -2.0], [0.0, 1.0, bad]];
        let scene = triangles(&[(corners, [1.0; 4])]);
        draw(&scene, &options());
        let mut stage = Stage::new(&scene, &options().with_ground(true).with_axes(true)).unwrap();
        let camera = stage.camera(None).unwrap();
        stage.draw(Moment::Rest, &camera).unwrap();
    }
}

#[test]
fn nothing_is_seen_behind_the_camera() {
    let corners = [[-1.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]];
    let picture = draw(&triangles(&[(corners, [1.0; 4])]), &options());
    assert!(picture.pixels.iter().all(|pixel| *pixel == [0; 4]));
}

#[test]
fn empty_scenes_and_pictures_are_drawn() {
    let empty = Scene::default();
    for size in [(0, 0), (0, 9), (9, 0), (1, 1)] {
        let picture = draw(&empty, &options().with_size(size.0, size.1));
        assert_eq!(picture.pixels.len() as u32, size.0 * size.1);
    }
    assert!(Picture::default().to_png().is_err());
    assert!(animated_png([], 10.0).is_err() && gif([], 10.0).is_err());
    assert!(contact_sheet(&[], &anim_ir::Limits::default()).is_ok());
}

#[test]
fn pictures_beyond_the_limits_are_refused() {
    let empty = Scene::default();
    for size in [(u32::MAX, 1), (16_384, 16_384)] {
        assert!(Stage::new(&empty, &PreviewOptions::default().with_size(size.0, size.1)).is_err());
    }
}

#[test]
fn an_image_that_declares_too_many_pixels_is_a_checker() {
    let mut header = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    header.extend([60_000_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].as_flattened());
    header.extend(b"\x08\x06\0\0\0");
    for bytes in [header, b"\xff\xd8\xff".to_vec(), b"GIF89a".to_vec(), Vec::new()] {
        let mut scene = Scene::default();
        scene.images.push(Image::embedded(bytes));
        let image = Some(ImageId::new(0));
        scene.add_material(Material { base_color_image: image, ..Material::new("") });
        let mut stage = Stage::new(&scene, &options()).unwrap();
        assert_eq!(stage.losses().count(CODES[0]), 1);
        stage.draw(Moment::Rest, &camera()).unwrap();
    }
}

#[test]
fn pictures_with_more_colors_than_a_gif_file_has_are_written() {
    let pixels = (0..=u8::MAX).flat_map(|x| (0..=u8::MAX).map(move |y| [x, y, x ^ y, 255]));
    let picture = Picture { width: 256, height: 256, pixels: pixels.collect() };
    assert!(gif([picture.clone(), picture.clone()], 10.0).unwrap().starts_with(b"GIF89a"));
    assert!(animated_png([picture.clone(), picture], 10.0).is_ok());
}

/// Few bytes of a scene may show a mesh very often.
#[test]
fn a_mesh_that_many_nodes_show_is_charged_before_it_is_deformed() {
    let mut scene =
        triangles(&[([[0.0, 0.0, -2.0], [1.0, 0.0, -2.0], [0.0, 1.0, -2.0]], [1.0; 4])]);
    scene.meshes[0].positions.resize(10_000, anim_ir::Vec3::ZERO);
    scene.nodes = vec![scene.nodes[0].clone(); 10_000];
    let mut stage = Stage::new(&scene, &options()).unwrap();
    assert_eq!(stage.camera(None).unwrap_err().what, "the vertices of instances");
    assert!(stage.draw(Moment::Rest, &camera()).is_err());
}

/// Triangles that cover the whole picture, one behind the other, cost as much in each picture.
#[test]
fn pictures_can_share_a_budget() {
    let corners = [[-9.0, -9.0, -2.0], [9.0, -9.0, -2.0], [0.0, 9.0, -2.0]];
    let scene = triangles(&[(corners, [1.0; 4]); 100]);
    let mut stage = Stage::new(&scene, &options().with_size(256, 256)).unwrap();
    let limits = anim_ir::Limits { memory: Some(64_000_000), ..anim_ir::Limits::default() };
    let work = anim_ir::Budget::new(&limits, 0);
    let mut draw = || stage.draw_within(Moment::Rest, &camera(), &work).map(drop);
    draw().unwrap();
    let error = (0..1000).find_map(|_| draw().err()).unwrap();
    assert_eq!(error.what, "the samples of triangles");
    assert!(stage.draw(Moment::Rest, &camera()).is_ok());
}

/// The memory of a picture's triangles is used again, but not the triangles.
#[test]
fn a_picture_does_not_show_the_one_before() {
    let corners = |x: f32| [[x - 0.5, -0.5, -2.0], [x + 0.5, -0.5, -2.0], [x, 0.5, -2.0]];
    let scene =
        triangles(&[(corners(-1.0), [1.0, 0.0, 0.0, 1.0]), (corners(1.0), [0.0, 0.0, 1.0, 0.5])]);
    let from = |x: f32| {
        let [eye, target, up] =
            [[x, 0.0, 0.0], [x, 0.0, -1.0], [0.0, 1.0, 0.0]].map(anim_ir::Vec3::from);
        anim_preview::Camera::looking_at(eye, target, up, std::f64::consts::FRAC_PI_2, 0.1)
    };
    let mut stage = Stage::new(&scene, &options()).unwrap();
    for x in [0.0, 2.0, 9.0, -2.0, 0.0] {
        let mut fresh = Stage::new(&scene, &options()).unwrap();
        let alone = fresh.draw(Moment::Rest, &from(x)).unwrap();
        assert_eq!(stage.draw(Moment::Rest, &from(x)).unwrap(), alone, "{x}");
        assert_eq!(alone.pixels.iter().all(|pixel| *pixel == [0; 4]), x == 9.0);
    }
}

/// Most triangles of a detailed model are smaller than a pixel. Those that cover no sample take no
/// memory.
#[test]
fn a_model_with_a_million_triangles() {
    const SIDE: u32 = 708;
    let mut scene =
        triangles(&[([[0.0, 0.0, -2.0], [1.0, 0.0, -2.0], [0.0, 1.0, -2.0]], [1.0; 4])]);
    let mesh = &mut scene.meshes[0];
    let place = |at: u32| f32::from(u16::try_from(at).unwrap()) / 354.0 - 1.0;
    mesh.positions = (0..SIDE * SIDE)
        .map(|at| anim_ir::Vec3::new(place(at % SIDE), place(at / SIDE), -2.0))
        .collect();
    mesh.normals = Vec::new();
    mesh.colors = Vec::new();
    mesh.primitives[0].indices = (0..(SIDE - 1) * (SIDE - 1))
        .flat_map(|square| {
            let at = square / (SIDE - 1) * SIDE + square % (SIDE - 1);
            [at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE]
        })
        .collect();
    let mut stage = Stage::new(&scene, &options().with_size(480, 360)).unwrap();
    stage.draw(Moment::Rest, &camera()).unwrap();
}

/// Translucent triangles are shaded even if others are in front of them.
#[test]
fn translucent_samples_cost_more_than_opaque_ones() {
    let pictures = |alpha: f32| {
        let corners = [[-9.0, -9.0, -2.0], [9.0, -9.0, -2.0], [0.0, 9.0, -2.0]];
        let scene = triangles(&[(corners, [1.0, 1.0, 1.0, alpha]); 100]);
        let mut stage = Stage::new(&scene, &options().with_size(64, 64)).unwrap();
        let limits = anim_ir::Limits { memory: Some(200_000_000), ..anim_ir::Limits::default() };
        let work = anim_ir::Budget::new(&limits, 0);
        let mut draw = || stage.draw_within(Moment::Rest, &camera(), &work).map(drop);
        (0..1000).take_while(|_| draw().is_ok()).count()
    };
    let (opaque, translucent) = (pictures(1.0), pictures(0.5));
    assert!(translucent > 0 && translucent * 10 < opaque, "{opaque} {translucent}");
}

/// A sheet or loop of few bytes may pose very many joints.
#[test]
fn the_poses_of_pictures_share_a_budget() {
    let mut scene = Scene::default();
    let mut skeleton = anim_ir::Skeleton::new("s");
    for number in 0..10_000 {
        skeleton.add_joint(anim_ir::Joint::new(number.to_string(), None));
    }
    scene.add_skeleton(skeleton);
    let mut stage = Stage::new(&scene, &options().with_size(1, 1)).unwrap();
    let limits = anim_ir::Limits { memory: Some(32_000_000), ..anim_ir::Limits::default() };
    let work = anim_ir::Budget::new(&limits, 0);
    let view = anim_preview::View::Front;
    let framed = (0..1000).take_while(|_| stage.camera_within(view, None, &work).is_ok()).count();
    // An eighth of the limit, for 32 bytes a joint and 16 KiB a picture.
    assert_eq!(framed, 11);
    let error = stage.draw_within(Moment::Rest, &camera(), &work).unwrap_err();
    assert_eq!(error.what, "the poses of pictures");
}
