//! Stages, which draw scenes.

mod surfaces;

use std::mem;

use anim_ir::{Bounds, Budget, Diagnostics, LimitError, Limits, Playable, Scene, Vec3};

use crate::camera::Camera;
use crate::camera::{Framing, directions};
use crate::geometry::{Posed, Shapes, for_each_mesh, place_of};
use crate::moment::Moment;
use crate::moment::Poses;
use crate::options::Bones;
use crate::options::PreviewOptions;
use crate::picture::Picture;
use crate::raster::{Drawing, LARGEST_SIDE, Surface, Triangles, Viewport};
use crate::texture::{Texture, ToLinear, ToSrgb};
use crate::view::View;
use surfaces::Surfaces;

/// The maximum number of poses of a clip that a framed camera takes into account.
const FRAMES: usize = 48;
/// The number of vertices in all these poses, unless the first few have more.
const FRAMED_VERTICES: usize = 4_000_000;
/// The samples of a picture: their depth, triangle and, where triangles are
/// translucent, colour.
const BYTES_PER_SAMPLE: usize = 24;
/// The bytes that are charged for the work on a picture: for the picture itself, for each joint
/// that is posed, and for each node and surface that is visited. The default budget lasts for a
/// second or two.
const WORK_PER_PICTURE: usize = 16 << 10;
const WORK_PER_JOINT: usize = 32;
const WORK_PER_NODE: usize = 16;
/// The number of deformed vertices for which a byte is charged.
const VERTICES_PER_BYTE: usize = 4;

/// A scene that is ready to be drawn: its textures are decoded.
pub struct Stage<'a> {
    scene: &'a Scene,
    options: PreviewOptions,
    surfaces: Surfaces,
    textures: Vec<Texture>,
    linear: ToLinear,
    srgb: ToSrgb,
    /// The limits of a picture.
    limits: Limits,
    losses: Diagnostics,
    bounds: Option<Bounds>,
    draws_bones: bool,
    /// The memory of the last picture's triangles.
    triangles: Triangles,
}

impl<'a> Stage<'a> {
    /// Prepares a scene. Images that are missing, cannot be decoded or do not fit into the memory
    /// limit are replaced with a checker pattern; see [`Stage::losses`].
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if a side of the pictures has more than 16,384 pixels, or their
    /// pixels do not fit into the budget.
    pub fn new(scene: &'a Scene, options: &PreviewOptions) -> Result<Stage<'a>, LimitError> {
        let (width, height) = options.size;
        let side = width.max(height);
        if side > LARGEST_SIDE {
            let [found, most] = [side, LARGEST_SIDE].map(|side| side as usize);
            return Err(LimitError { what: "the side of a picture", unit: "pixels", found, most });
        }
        let budget = Budget::for_picture(&options.limits, scene);
        let samples = if options.supersampling { 4 } else { 1 };
        let pixels = (width as usize).saturating_mul(height as usize);
        budget.charge("the pixels", pixels.saturating_mul(4 + samples * BYTES_PER_SAMPLE))?;
        let (linear, srgb) = (ToLinear::new(), ToSrgb::new());
        let (textures, surfaces, losses) = {
            let mut losses = Diagnostics::new();
            let part = budget.half();
            let textures = surfaces::decode_images(scene, &linear, &part, &mut losses);
            let surfaces = Surfaces::new(scene, &textures, &part);
            budget.charge("the texels of images", part.spent())?;
            (textures, surfaces, losses)
        };
        let has_mesh = scene.nodes.iter().any(|node| {
            let mesh = node.mesh.and_then(|mesh| scene.mesh(mesh));
            mesh.is_some_and(|mesh| !mesh.primitives.is_empty())
        });
        let draws_bones = match options.bones {
            Bones::Auto => !has_mesh,
            Bones::Always => true,
            Bones::Never => false,
        };
        Ok(Stage {
            scene,
            options: options.clone(),
            surfaces,
            textures,
            linear,
            srgb,
            limits: budget.limits_of_part(),
            losses,
            bounds: scene.rest_bounds(),
            draws_bones,
            triangles: Triangles::default(),
        })
    }

    /// Returns the differences between the pictures and the content of the file. Metalness,
    /// roughness, and normal and occlusion maps are ignored without a diagnostic: they hide neither
    /// shape nor motion.
    pub fn losses(&self) -> &Diagnostics {
        &self.losses
    }

    /// Returns a three-quarter view of everything that is visible in the poses of a clip or state,
    /// or in the rest pose.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the poses, or the vertices of repeated meshes, exceed the budget.
    pub fn camera(&self, playable: Option<Playable>) -> Result<Camera, LimitError> {
        self.camera_from(View::ThreeQuarter, playable)
    }

    /// Returns a view from a side, like [`Stage::camera`].
    ///
    /// # Errors
    ///
    /// See [`Stage::camera`].
    pub fn camera_from(
        &self,
        view: View,
        playable: Option<Playable>,
    ) -> Result<Camera, LimitError> {
        self.camera_within(view, playable, &Budget::new(&self.limits, 0))
    }

    /// Returns a view from a side, as the camera of one of several pictures, which share a budget
    /// for the work ([`Stage::draw_within`]).
    ///
    /// # Errors
    ///
    /// See [`Stage::camera`].
    pub fn camera_within(
        &self,
        view: View,
        playable: Option<Playable>,
        work: &Budget,
    ) -> Result<Camera, LimitError> {
        let budget = Budget::new(&self.limits, 0);
        let mut framing = Framing::new(self.scene, self.options.size, view);
        let count = |node: &anim_ir::Node| {
            node.mesh.and_then(|mesh| self.scene.mesh(mesh)).map_or(0, |mesh| mesh.positions.len())
        };
        let vertices = self.scene.nodes.iter().map(count).fold(1, usize::saturating_add);
        let Some(playable) = playable else {
            self.frame(Moment::Rest, &mut framing, &budget, work)?;
            return Ok(framing.finish());
        };
        let seconds = self.scene.duration_of(playable);
        let most = (FRAMED_VERTICES / vertices).clamp(4, FRAMES);
        let frames = if seconds > 0.0 { u32::try_from(most).unwrap_or(4) } else { 1 };
        for frame in 0..frames {
            let part = f64::from(frame) / f64::from(frames.saturating_sub(1).max(1));
            self.frame(Moment::of(playable, part * seconds), &mut framing, &budget, work)?;
        }
        Ok(framing.finish())
    }

    /// Adds everything that is visible at a moment to a framing.
    fn frame(
        &self,
        moment: Moment,
        framing: &mut Framing,
        budget: &Budget,
        work: &Budget,
    ) -> Result<(), LimitError> {
        let poses = self.poses(moment, work)?;
        for_each_mesh(self.scene, &poses, budget, |Posed { deformer, place, .. }| {
            work.charge_work(
                "the poses of pictures",
                deformer.positions().len() / VERTICES_PER_BYTE,
            )?;
            for position in deformer.positions() {
                framing.add(place.transform_point(*position));
            }
            Ok(())
        })?;
        if self.draws_bones {
            for (model, visible) in poses.model.iter().zip(&poses.visible) {
                let shown = model.iter().zip(visible).filter(|(_, visible)| **visible);
                shown.for_each(|(matrix, _)| framing.add(matrix.transform_point(Vec3::ZERO)));
            }
        }
        Ok(())
    }

    /// Returns the names of the cameras in the scene: those of their nodes or, if they have none,
    /// their own.
    pub fn scene_cameras(&self) -> impl Iterator<Item = &'a str> {
        let scene = self.scene;
        scene.nodes.iter().filter_map(move |node| name_of_camera(scene, node))
    }

    /// Returns the first camera of the scene with this name, at a moment.
    pub fn scene_camera(&self, name: &str, moment: Moment) -> Option<Camera> {
        let is_it = |node: &&anim_ir::Node| name_of_camera(self.scene, node) == Some(name);
        let node = self.scene.nodes.iter().find(is_it)?;
        let camera = self.scene.camera(node.camera?)?;
        let place = place_of(node, &Poses::at(self.scene, moment));
        Camera::of_node(camera, place, self.scene.axes)
    }

    /// Draws the scene.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the triangles, the samples that they cover, or the poses exceed
    /// the budget.
    pub fn draw(&mut self, moment: Moment, camera: &Camera) -> Result<Picture, LimitError> {
        self.draw_within(moment, camera, &Budget::new(&self.limits, 0))
    }

    /// Draws the scene as one of several pictures, which share a budget for the work: the samples
    /// that triangles cover, and the poses.
    ///
    /// # Errors
    ///
    /// See [`Stage::draw`].
    pub fn draw_within(
        &mut self,
        moment: Moment,
        camera: &Camera,
        work: &Budget,
    ) -> Result<Picture, LimitError> {
        let budget = Budget::new(&self.limits, 0);
        let poses = self.poses(moment, work)?;
        let viewport = Viewport::new(&self.options, camera);
        let mut surfaces = self.surfaces.list.clone();
        let extra = surfaces.len();
        surfaces.extend(self.own_surfaces());
        let triangles = mem::take(&mut self.triangles);
        let mut drawing = Drawing::new(viewport, surfaces, &self.textures, triangles, &budget);
        let mut shapes = Shapes { drawing: &mut drawing, camera, budget: &budget, work };
        for_each_mesh(self.scene, &poses, &budget, |posed| {
            work.charge_work(
                "the poses of pictures",
                posed.deformer.positions().len() / VERTICES_PER_BYTE,
            )?;
            let surfaces = self.surfaces.of_mesh.get(posed.mesh_index);
            shapes.add_mesh(&posed, surfaces.map_or(&[], Vec::as_slice))
        })?;
        if self.draws_bones {
            shapes.add_bones(self.scene, &poses, extra)?;
        }
        if let Some(bounds) = &self.bounds {
            if self.options.ground {
                shapes.add_ground(bounds, directions(self.scene), extra + 1);
            }
            if self.options.axes {
                shapes.add_axes(bounds, [extra + 2, extra + 3, extra + 4]);
            }
        }
        let (picture, triangles) =
            drawing.paint(&self.options, (&self.linear, &self.srgb), work)?;
        self.triangles = triangles;
        Ok(picture)
    }

    /// Returns the poses at a moment, which are charged as work.
    fn poses(&self, moment: Moment, work: &Budget) -> Result<Poses, LimitError> {
        let joints = self.scene.skeletons.iter().map(|skeleton| skeleton.joints.len());
        let joints = joints.fold(0, usize::saturating_add);
        let visited = self.scene.nodes.len().saturating_add(self.surfaces.list.len());
        let cost = joints.saturating_mul(WORK_PER_JOINT);
        let cost = cost.saturating_add(visited.saturating_mul(WORK_PER_NODE));
        work.charge_work("the poses of pictures", cost.saturating_add(WORK_PER_PICTURE))?;
        Ok(Poses::at(self.scene, moment))
    }

    /// Returns the surfaces of bones, ground and axes.
    fn own_surfaces(&self) -> [Surface; 5] {
        let color = |[red, green, blue]: [u8; 3]| {
            [self.linear.at(red), self.linear.at(green), self.linear.at(blue), 1.0]
        };
        [
            Surface::plain(color([60, 90, 150]), self.options.bones == Bones::Always),
            Surface::plain(color([176, 180, 186]), false),
            Surface::plain(color([200, 60, 60]), false),
            Surface::plain(color([70, 160, 70]), false),
            Surface::plain(color([70, 100, 220]), false),
        ]
    }
}

fn name_of_camera<'s>(scene: &'s Scene, node: &'s anim_ir::Node) -> Option<&'s str> {
    let camera = scene.camera(node.camera?)?;
    Some(if node.name.is_empty() { &camera.name } else { &node.name })
}
