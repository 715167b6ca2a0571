//! What pictures show, against values computed by hand.

use crate::{draw, options, triangles};
use anim_ir::color::to_linear;
use test_oracle::random::Rng;

const BIG: [[f32; 3]; 3] = [[-9.0, -9.0, -2.0], [9.0, -9.0, -2.0], [0.0, 18.0, -2.0]];

fn behind(distance: f32) -> [[f32; 3]; 3] {
    BIG.map(|[x, y, _]| [x, y, -distance])
}

#[test]
fn unlit_colors_are_exact() {
    for bytes in [[0, 1, 2, 255], [10, 128, 200, 255], [255, 254, 37, 255]] {
        let [r, g, b, _] = bytes.map(|byte: u8| to_linear(f32::from(byte) / 255.0));
        let picture = draw(&triangles(&[(BIG, [r, g, b, 1.0])]), &options());
        assert!(picture.pixels.iter().all(|pixel| *pixel == bytes), "{bytes:?}");
    }
}

#[test]
fn the_nearest_triangle_is_seen_in_any_order() {
    let (red, green) = ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]);
    for list in
        [[(behind(2.0), red), (behind(3.0), green)], [(behind(3.0), green), (behind(2.0), red)]]
    {
        let picture = draw(&triangles(&list), &options());
        assert!(picture.pixels.iter().all(|pixel| *pixel == [255, 0, 0, 255]));
    }
}

#[test]
fn see_through_triangles_are_blended_from_the_farthest_to_the_nearest() {
    let list = [
        (behind(2.0), [1.0, 0.0, 0.0, 0.5]),
        (behind(4.0), [0.0, 0.0, 1.0, 1.0]),
        (behind(3.0), [0.0, 1.0, 0.0, 0.5]),
        (behind(5.0), [1.0, 1.0, 1.0, 0.5]),
    ];
    // Linear: half red, a quarter green, a quarter blue.
    let picture = draw(&triangles(&list), &options());
    assert!(picture.pixels.iter().all(|pixel| *pixel == [188, 137, 137, 255]));
}

/// Each sample is tested in exact integer arithmetic, apart from the crate's own code.
#[test]
fn samples_are_covered_by_the_top_left_rule() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        // Corners on multiples of 1/4 of a pixel of the 32 × 32 picture, partly outside.
        let corners = [0; 3].map(|_| [0; 2].map(|_| rng.between(0, 192) as i64 - 32));
        let place = |c: i64| c as f32 / 64.0 - 1.0;
        let triangle = corners.map(|[x, y]| [place(x), -place(y), -1.0]);
        let scene = triangles(&[(triangle, [1.0; 4])]);
        let picture = draw(&scene, &options().with_supersampling(false));
        for (index, pixel) in picture.pixels.iter().enumerate() {
            // In eighths of a pixel, so that the centres are whole.
            let center = [(index % 32) as i64 * 8 + 4, (index / 32) as i64 * 8 + 4];
            let covered = contains(corners.map(|corner| corner.map(|c| c * 2)), center);
            assert_eq!(pixel[3] == 255, covered, "{corners:?} at {center:?}");
        }
    }
}

pub(crate) fn contains(mut corners: [[i64; 2]; 3], [x, y]: [i64; 2]) -> bool {
    let side = |a: [i64; 2], b: [i64; 2], [x, y]: [i64; 2]| {
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
    };
    match side(corners[0], corners[1], corners[2]) {
        0 => return false,
        area if area < 0 => corners.swap(1, 2),
        _ => {}
    }
    (0..3).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let at = side(a, b, [x, y]);
        let is_top = a[1] == b[1] && b[0] > a[0];
        let is_left = b[1] < a[1];
        at > 0 || (at == 0 && (is_top || is_left))
    })
}

#[test]
fn threads_do_not_change_the_picture() {
    let mut rng = Rng::new(1);
    let list: Vec<_> = (0..200)
        .map(|_| {
            let corners =
                [0; 3].map(|_| [-2.0, -2.0, -4.0].map(|low| rng.range(low, low + 3.5) as f32));
            (corners, [0; 4].map(|_| rng.range(0.2, 1.3).min(1.0) as f32))
        })
        .collect();
    let scene = triangles(&list);
    let with = |threads| draw(&scene, &options().with_size(90, 70).with_threads(Some(threads)));
    let one = with(1);
    assert!([2, 4, 1].into_iter().all(|threads| with(threads) == one));
    assert!(one.pixels.iter().any(|pixel| pixel[3] > 0));
}
