//! Node types that are recognised only by name, since their content has no counterpart in an
//! animated model: environments, shaders, sensors and interpolators in X3D (ISO/IEC 19775-1:2023)
//! and in Castle Game Engine.

use super::types::{Family, NodeType};

macro_rules! node_types {
    ($($name:ident in $container:ident;)*) => {
        &[$(NodeType {
            name: stringify!($name),
            family: Family::X3d,
            container: stringify!($container),
            fields: &[],
            is_skipped: true,
        },)*]
    };
}

/// The types, sorted by name.
pub(super) static NODE_TYPES: &[NodeType] = node_types! {
    AcousticProperties in acousticProperties;
    BallJoint in joints;
    BlendMode in blendMode;
    CollidableOffset in children;
    CollidableShape in children;
    CollisionCollection in collider;
    CollisionSensor in children;
    CollisionSpace in children;
    ColorChaser in children;
    ColorDamper in children;
    ColorSetInterpolator in children;
    ComposedCubeMapTexture in texture;
    ComposedShader in shaders;
    ComposedTexture3D in texture;
    CoordinateChaser in children;
    CoordinateDamper in children;
    CubicBezier2DOrientationInterpolator in children;
    CubicBezierCoordinateInterpolator in children;
    CubicBezierPositionInterpolator in children;
    DoubleAxisHingeJoint in joints;
    Effect in effects;
    EffectPart in parts;
    EnvironmentLight in children;
    FloatVertexAttribute in attrib;
    GeneratedCubeMapTexture in texture;
    GeneratedShadowMap in texture;
    GeoPositionInterpolator in children;
    HAnimMotion in motions;
    HAnimPose in poses;
    ImageCubeMapTexture in texture;
    ImageTexture3D in texture;
    KambiHeadLight in headlightNode;
    KambiTriangulation in children;
    LinePickSensor in children;
    ListenerPointSource in children;
    Logger in children;
    Matrix3VertexAttribute in attrib;
    Matrix4VertexAttribute in attrib;
    MotorJoint in joints;
    NurbsOrientationInterpolator in children;
    NurbsPositionInterpolator in children;
    NurbsSurfaceInterpolator in children;
    OrientationChaser in children;
    OrientationDamper in children;
    OrientationInterpolator2D in children;
    PackagedShader in shaders;
    ParticleSystem in children;
    PixelTexture3D in texture;
    PointPickSensor in children;
    PositionChaser in children;
    PositionChaser2D in children;
    PositionDamper in children;
    PositionDamper2D in children;
    PrimitivePickSensor in children;
    ProgramShader in shaders;
    ProjectedTextureCoordinate in texCoord;
    RenderedTexture in texture;
    RigidBody in bodies;
    RigidBodyCollection in children;
    ScalarChaser in children;
    ScalarDamper in children;
    ScreenEffect in children;
    ShaderPart in parts;
    ShaderProgram in programs;
    ShaderTexture in texture;
    SingleAxisHingeJoint in joints;
    SliderJoint in joints;
    SpatialSound in children;
    SplinePositionInterpolator2D in children;
    SquadOrientationInterpolator in children;
    Teapot in geometry;
    TexCoordChaser2D in children;
    TexCoordDamper2D in children;
    Text3D in geometry;
    TextureCoordinate3D in texCoord;
    TextureCoordinate4D in texCoord;
    TextureMatrixTransform in textureTransform;
    TextureProjector in children;
    TextureProjectorParallel in children;
    TextureTransform3D in textureTransform;
    TextureTransformMatrix3D in textureTransform;
    Toggler in children;
    TransformSensor in children;
    UniversalJoint in joints;
    ValueTrigger in children;
    VectorInterpolator in children;
    Viewport in viewport;
    VolumePickSensor in children;
};
