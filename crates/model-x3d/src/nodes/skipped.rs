//! Node types that are recognised only by name, since their content has no counterpart in an
//! animated model, or none yet: environments, shaders, sensors, interpolators, geographic places,
//! NURBS, physics, volumes and sounds in X3D (ISO/IEC 19775-1:2023 and the draft of 4.1), VRML 97
//! (ISO/IEC 14772-1 and its amendment 1) and Castle Game Engine.

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
    Analyser in children;
    AudioDestination in children;
    BallJoint in joints;
    BiquadFilter in children;
    BlendMode in blendMode;
    BlendedVolumeStyle in renderStyle;
    BoundaryEnhancementVolumeStyle in renderStyle;
    BoundedPhysicsModel in physics;
    BufferAudioSource in children;
    CartoonVolumeStyle in renderStyle;
    ChannelMerger in children;
    ChannelSelector in children;
    ChannelSplitter in children;
    CollisionCollection in collider;
    CollisionSensor in children;
    CollisionSpace in children;
    ColorChaser in children;
    ColorDamper in children;
    ColorSetInterpolator in children;
    ComposedCubeMapTexture in texture;
    ComposedShader in shaders;
    ComposedTexture3D in texture;
    ComposedVolumeStyle in renderStyle;
    ConeEmitter in emitter;
    Contact in contacts;
    Contour2D in trimmingContour;
    ContourPolyline2D in children;
    Converter in children;
    Convolver in children;
    CoordinateChaser in children;
    CoordinateDamper in children;
    CoordinateDeformer in children;
    CubicBezier2DOrientationInterpolator in children;
    CubicBezierCoordinateInterpolator in children;
    CubicBezierPositionInterpolator in children;
    DISEntityManager in children;
    DISEntityTypeMapping in children;
    Delay in children;
    DoubleAxisHingeJoint in joints;
    DynamicsCompressor in children;
    EdgeEnhancementVolumeStyle in renderStyle;
    Effect in effects;
    EffectPart in parts;
    Environment in environment;
    EnvironmentLight in children;
    ExplosionEmitter in emitter;
    FloatVertexAttribute in attrib;
    FontLibrary in children;
    ForcePhysicsModel in physics;
    Gain in children;
    GaussianSplats in children;
    GeneratedCubeMapTexture in texture;
    GeneratedShadowMap in texture;
    GeoCoordinate in coord;
    GeoElevationGrid in geometry;
    GeoInline in children;
    GeoLOD in children;
    GeoLocation in children;
    GeoMetadata in children;
    GeoOrigin in geoOrigin;
    GeoPositionInterpolator in children;
    GeoProximitySensor in children;
    GeoTouchSensor in children;
    GeoTransform in children;
    GeoViewpoint in children;
    HAnimMotion in motions;
    HAnimPose in poses;
    ImageBackground in children;
    ImageCubeMapTexture in texture;
    ImageTexture3D in texture;
    InlineGeometry in geometry;
    IsoSurfaceVolumeData in children;
    KambiHeadLight in headlightNode;
    KambiOctreeProperties in octreeProperties;
    KambiTriangulation in children;
    Layout in layout;
    LinePickSensor in children;
    ListenerPointSource in children;
    Logger in children;
    Matrix3VertexAttribute in attrib;
    Matrix4VertexAttribute in attrib;
    MicrophoneSource in children;
    MotorJoint in joints;
    NurbsCurve in geometry;
    NurbsCurve2D in children;
    NurbsGroup in children;
    NurbsOrientationInterpolator in children;
    NurbsPatchSurface in geometry;
    NurbsPositionInterpolator in children;
    NurbsSet in children;
    NurbsSurface in geometry;
    NurbsSurfaceInterpolator in children;
    NurbsSweptSurface in geometry;
    NurbsSwungSurface in geometry;
    NurbsTextureCoordinate in texCoord;
    NurbsTrimmedSurface in geometry;
    OpacityMapVolumeStyle in renderStyle;
    OrientationChaser in children;
    OrientationDamper in children;
    OrientationInterpolator2D in children;
    OscillatorSource in children;
    PackagedShader in shaders;
    ParticleSystem in children;
    PeriodicWave in periodicWave;
    PixelTexture3D in texture;
    Plane in geometry;
    PointEmitter in emitter;
    PointPickSensor in children;
    PolylineEmitter in emitter;
    PositionChaser in children;
    PositionChaser2D in children;
    PositionDamper in children;
    PositionDamper2D in children;
    PrimitivePickSensor in children;
    ProgramShader in shaders;
    ProjectedTextureCoordinate in texCoord;
    ProjectionVolumeStyle in renderStyle;
    ReceiverPdu in children;
    RenderedTexture in texture;
    RigidBody in bodies;
    RigidBodyCollection in children;
    ScalarChaser in children;
    ScalarDamper in children;
    ScreenEffect in children;
    ScreenFontStyle in fontStyle;
    SegmentedVolumeData in children;
    ShadedVolumeStyle in renderStyle;
    ShaderPart in parts;
    ShaderProgram in programs;
    ShaderTexture in texture;
    SignalPdu in children;
    SilhouetteEnhancementVolumeStyle in renderStyle;
    SingleAxisHingeJoint in joints;
    SliderJoint in joints;
    SpatialSound in children;
    SplinePositionInterpolator2D in children;
    SquadOrientationInterpolator in children;
    StreamAudioDestination in children;
    StreamAudioSource in children;
    SurfaceEmitter in emitter;
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
    ToneMappedVolumeStyle in renderStyle;
    TransformSensor in children;
    TransmitterPdu in children;
    TrimmedSurface in geometry;
    UniversalJoint in joints;
    ValueTrigger in children;
    VectorInterpolator in children;
    ViewpointMirror in viewpoint;
    Viewport in viewport;
    VolumeData in children;
    VolumeEmitter in emitter;
    VolumePickSensor in children;
    WaveShaper in children;
    WindPhysicsModel in physics;
};
