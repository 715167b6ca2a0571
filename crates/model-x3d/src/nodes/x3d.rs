//! X3D and VRML 97 node types.
//!
//! Fields and defaults are those of X3D 4.0 (ISO/IEC 19775-1:2023), which includes all of X3D 3;
//! events are omitted, since files do not assign values to them. Also included are the fields with
//! which Castle Game Engine extends nodes, among them `gravityUp`, `direction` and `up` of
//! viewpoints, `normalMap`, `heightMap`, `blendMode` and `shadowCaster` of appearances,
//! `MatrixTransform` with children, `Skin` with its fields in geometries, quaternions in
//! `OrientationInterpolator`, `mode` of colours and `flipVertically` of images. Double precision
//! values are stored in single precision.
//!
//! Long because it is a single table.

use super::types::{Default, Family, Field, FieldKind, NodeType};

/// `Type in container { Kind field default…; … }`, as in the standard. All nodes have `metadata`.
macro_rules! node_types {
    ($($name:ident in $container:ident {
        $($kind:ident $field:ident $($default:literal)*;)*
    })*) => {
        &[$(NodeType {
            name: stringify!($name),
            family: Family::X3d,
            container: stringify!($container),
            fields: &[
                $(Field {
                    name: stringify!($field),
                    kind: FieldKind::$kind,
                    default: default_of!($kind $($default)*),
                },)*
                Field { name: "metadata", kind: FieldKind::SFNode, default: Default::Empty },
            ],
            is_skipped: false,
        },)*]
    };
}

/// The types, sorted by name.
#[expect(clippy::approx_constant, reason = "angles as the standard prints them")]
pub(super) static NODE_TYPES: &[NodeType] = node_types! {
    Anchor in children {
        SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600; SFVec3f bboxCenter 0 0 0;
        SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1; MFNode children;
        SFString description ""; SFBool load true; MFString parameter; MFString url;
        SFBool visible true;
    }
    Appearance in appearance {
        SFNode acousticProperties; SFString alphaChannel "AUTO"; SFFloat alphaCutoff 0.5;
        SFString alphaMode "AUTO"; SFNode backMaterial; SFNode blendMode; MFNode effects;
        SFNode fillProperties; SFNode heightMap; SFFloat heightMapScale 0.01; SFNode lineProperties;
        SFNode material; SFNode normalMap; SFNode pointProperties; MFNode receiveShadows;
        MFNode shaders; SFBool shadowCaster true; SFNode texture; SFNode textureTransform;
    }
    Arc2D in geometry { SFFloat endAngle 1.570796; SFFloat radius 1; SFFloat startAngle 0; }
    ArcClose2D in geometry {
        SFString closureType "PIE"; SFFloat endAngle 1.570796; SFFloat radius 1; SFBool solid false;
        SFFloat startAngle 0;
    }
    AudioClip in source {
        SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600; SFString description "";
        SFBool enabled true; SFFloat gain 1; SFBool load true; SFBool loop false;
        SFTime pauseTime 0; SFFloat pitch 1; SFTime resumeTime 0; SFTime startTime 0;
        SFTime stopTime 0; MFString url;
    }
    Background in children {
        MFString backUrl; MFString bottomUrl; MFNode effects; MFString frontUrl;
        MFFloat groundAngle; MFColor groundColor; MFString leftUrl; MFString rightUrl;
        MFNode shaders; MFFloat skyAngle; MFColor skyColor 0 0 0; MFString topUrl;
        SFFloat transparency 0;
    }
    Billboard in children {
        SFVec3f axisOfRotation 0 1 0; SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false;
        SFVec3f bboxSize -1 -1 -1; MFNode children; SFBool visible true;
    }
    BooleanFilter in children {}
    BooleanSequencer in children {
        SFBool forceContinuousValue_changed false; MFFloat key; MFBool keyValue;
    }
    BooleanToggle in children { SFBool toggle false; }
    BooleanTrigger in children {}
    Box in geometry {
        SFBool ccw true; SFInt32 divisions -1; SFVec3f size 2 2 2; SFBool solid true;
        SFNode texCoord;
    }
    CADAssembly in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFString name ""; SFBool visible true;
    }
    CADFace in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFString name ""; SFBool visible true;
    }
    CADLayer in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFString name ""; MFBool visible;
    }
    CADPart in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFVec3f center 0 0 0; MFNode children; SFString name ""; SFRotation rotation 0 0 1 0;
        SFVec3f scale 1 1 1; SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0;
        SFBool visible true;
    }
    Circle2D in geometry { SFFloat radius 1; SFInt32 slices -1; }
    ClipPlane in children { SFBool enabled true; SFVec4f plane 0 1 0 0; }
    CollidableOffset in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFNode children; SFString description ""; SFBool enabled true; SFRotation rotation 0 0 1 0;
        SFVec3f translation 0 0 0; SFBool visible true;
    }
    CollidableShape in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFNode children; SFString description ""; SFBool enabled true; SFRotation rotation 0 0 1 0;
        SFVec3f translation 0 0 0; SFBool visible true;
    }
    Collision in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFString description ""; SFBool enabled true; SFNode proxy;
        SFBool visible true;
    }
    Color in color { MFColor color; SFString mode "REPLACE"; }
    ColorInterpolator in children { MFFloat key; MFColor keyValue; }
    ColorRGBA in color { MFColorRGBA color; SFString mode "REPLACE"; }
    CommonSurfaceShader in shaders {
        SFFloat alphaFactor 1; SFNode alphaTexture; SFString alphaTextureChannelMask "a";
        SFInt32 alphaTextureCoordinatesId 0; SFInt32 alphaTextureId -1;
        SFVec3f ambientFactor 0.2 0.2 0.2; SFNode ambientTexture;
        SFString ambientTextureChannelMask "rgb"; SFInt32 ambientTextureCoordinatesId 0;
        SFInt32 ambientTextureId -1; SFInt32 binormalTextureCoordinatesId -1;
        SFNode diffuseDisplacementTexture; SFVec3f diffuseFactor 0.8 0.8 0.8; SFNode diffuseTexture;
        SFString diffuseTextureChannelMask "rgb"; SFInt32 diffuseTextureCoordinatesId 0;
        SFInt32 diffuseTextureId -1; SFString displacementAxis "y"; SFFloat displacementFactor 255;
        SFNode displacementTexture; SFInt32 displacementTextureCoordinatesId 0;
        SFInt32 displacementTextureId -1; SFVec3f emissiveFactor 0 0 0; SFNode emissiveTexture;
        SFString emissiveTextureChannelMask "rgb"; SFInt32 emissiveTextureCoordinatesId 0;
        SFInt32 emissiveTextureId -1; SFVec3f environmentFactor 1 1 1; SFNode environmentTexture;
        SFString environmentTextureChannelMask "rgb"; SFInt32 environmentTextureCoordinatesId 0;
        SFInt32 environmentTextureId -1; SFFloat fresnelBlend 0; SFBool invertAlphaTexture false;
        SFNode multiDiffuseAlphaTexture; SFNode multiEmmisiveAmbientIntensityTexture;
        SFNode multiSpecularShininessTexture; SFNode multiVisibilityTexture;
        SFVec3f normalBias -1 -1 -1; SFString normalFormat "UNORM"; SFVec3f normalScale 2 2 2;
        SFString normalSpace "TANGENT"; SFNode normalTexture;
        SFString normalTextureChannelMask "rgb"; SFInt32 normalTextureCoordinatesId 0;
        SFInt32 normalTextureId -1; SFFloat normalTextureParallaxHeight 0;
        SFVec3f reflectionFactor 0 0 0; SFNode reflectionTexture;
        SFString reflectionTextureChannelMask "rgb"; SFInt32 reflectionTextureCoordinatesId 0;
        SFInt32 reflectionTextureId -1; SFFloat relativeIndexOfRefraction 1;
        SFFloat shininessFactor 0.2; SFNode shininessTexture;
        SFString shininessTextureChannelMask "a"; SFInt32 shininessTextureCoordinatesId 0;
        SFInt32 shininessTextureId -1; SFVec3f specularFactor 0 0 0; SFNode specularTexture;
        SFString specularTextureChannelMask "rgb"; SFInt32 specularTextureCoordinatesId 0;
        SFInt32 specularTextureId -1; SFInt32 tangentTextureCoordinatesId -1;
        MFBool textureTransformEnabled; SFVec3f transmissionFactor 0 0 0;
        SFNode transmissionTexture; SFString transmissionTextureChannelMask "rgb";
        SFInt32 transmissionTextureCoordinatesId 0; SFInt32 transmissionTextureId -1;
    }
    Cone in geometry {
        SFBool bottom true; SFFloat bottomRadius 1; SFFloat height 2; SFBool side true;
        SFInt32 slices -1; SFBool solid true; SFInt32 stacks -1; SFNode texCoord;
    }
    Coordinate in coord { MFVec3f point; }
    CoordinateDouble in coord { MFVec3f point; }
    CoordinateInterpolator in children { MFFloat key; MFVec3f keyValue; }
    CoordinateInterpolator2D in children { MFFloat key; MFVec2f keyValue; }
    Cylinder in geometry {
        SFBool bottom true; SFFloat height 2; SFFloat radius 1; SFBool side true; SFInt32 slices -1;
        SFBool solid true; SFInt32 stacks -1; SFNode texCoord; SFBool top true;
    }
    CylinderSensor in children {
        SFBool autoOffset true; SFRotation axisRotation 0 0 1 0; SFString description "";
        SFFloat diskAngle 0.26179167; SFBool enabled true; SFFloat maxAngle -1; SFFloat minAngle 0;
        SFFloat offset 0;
    }
    DirectionalLight in children {
        SFFloat ambientIntensity 0; SFColor color 1 1 1; SFNode defaultShadowMap;
        SFVec3f direction 0 0 -1; MFNode effects; SFBool global false; SFFloat intensity 1;
        SFBool on true; SFFloat projectionFar 100; SFVec3f projectionLocation 0 0 0;
        SFFloat projectionNear 1; SFVec4f projectionRectangle -10 10 -10 10;
        SFFloat shadowIntensity 1; SFBool shadowVolumes false; SFBool shadowVolumesMain false;
        SFBool shadows false; SFVec3f up 0 1 0;
    }
    Disk2D in geometry { SFFloat innerRadius 0; SFFloat outerRadius 1; SFBool solid false; }
    EaseInEaseOut in children { MFVec2f easeInEaseOut; MFFloat key; }
    ElevationGrid in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true;
        SFFloat creaseAngle 0; SFNode fogCoord; MFFloat height; SFNode normal;
        SFBool normalPerVertex true; SFBool solid true; SFNode texCoord; SFInt32 xDimension 0;
        SFFloat xSpacing 1; SFInt32 zDimension 0; SFFloat zSpacing 1;
    }
    EspduTransform in children {
        SFString address "localhost"; SFInt32 applicationID 0; MFFloat articulationParameterArray;
        MFInt32 articulationParameterChangeIndicatorArray; SFInt32 articulationParameterCount 0;
        MFInt32 articulationParameterDesignatorArray;
        MFInt32 articulationParameterIdPartAttachedToArray; MFInt32 articulationParameterTypeArray;
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFVec3f center 0 0 0; MFNode children; SFInt32 collisionType 0; SFInt32 deadReckoning 0;
        SFString description ""; SFVec3f detonationLocation 0 0 0;
        SFVec3f detonationRelativeLocation 0 0 0; SFInt32 detonationResult 0; SFBool enabled true;
        SFInt32 entityCategory 0; SFInt32 entityCountry 0; SFInt32 entityDomain 0;
        SFInt32 entityExtra 0; SFInt32 entityID 0; SFInt32 entityKind 0; SFInt32 entitySpecific 0;
        SFInt32 entitySubcategory 0; SFInt32 eventApplicationID 0; SFInt32 eventEntityID 0;
        SFInt32 eventNumber 0; SFInt32 eventSiteID 0; SFInt32 fireMissionIndex 0;
        SFBool fired1 false; SFBool fired2 false; SFFloat firingRange 0; SFInt32 firingRate 0;
        SFInt32 forceID 0; SFInt32 fuse 0; SFVec3f geoCoords 0 0 0; SFNode geoOrigin;
        MFString geoSystem "GD" "WE"; SFVec3f linearAcceleration 0 0 0;
        SFVec3f linearVelocity 0 0 0; SFString marking ""; SFString multicastRelayHost "";
        SFInt32 multicastRelayPort 0; SFInt32 munitionApplicationID 0;
        SFVec3f munitionEndPoint 0 0 0; SFInt32 munitionEntityID 0; SFInt32 munitionQuantity 0;
        SFInt32 munitionSiteID 0; SFVec3f munitionStartPoint 0 0 0;
        SFString networkMode "standAlone"; SFInt32 port 0; SFTime readInterval 0.1;
        SFRotation rotation 0 0 1 0; SFBool rtpHeaderExpected false; SFVec3f scale 1 1 1;
        SFRotation scaleOrientation 0 0 1 0; SFInt32 siteID 0; SFVec3f translation 0 0 0;
        SFBool visible true; SFInt32 warhead 0; SFTime writeInterval 1;
    }
    Extrusion in geometry {
        SFBool beginCap true; SFBool ccw true; SFBool convex true; SFFloat creaseAngle 0;
        MFVec2f crossSection 1 1 1 -1 -1 -1 -1 1 1 1; SFBool endCap true;
        MFRotation orientation 0 0 1 0; MFVec2f scale 1 1; SFBool solid true;
        MFVec3f spine 0 0 0 0 1 0; SFNode texCoord;
    }
    FillProperties in fillProperties {
        SFBool filled true; SFColor hatchColor 1 1 1; SFBool hatched true; SFInt32 hatchStyle 1;
    }
    Fog in children {
        SFColor color 1 1 1; SFString fogType "LINEAR"; SFFloat visibilityRange 0;
        SFBool volumetric false; SFVec3f volumetricDirection 0 -1 0;
        SFFloat volumetricVisibilityStart 0;
    }
    FogCoordinate in fogCoord { MFFloat depth; }
    FontStyle in fontStyle {
        SFBool blending true; MFString family "SERIF"; SFBool horizontal true;
        MFString justify "BEGIN"; SFString language ""; SFBool leftToRight true; SFFloat size 1;
        SFFloat spacing 1; SFString style "PLAIN"; SFBool topToBottom true;
    }
    Group in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFBool visible true;
    }
    HAnimDisplacer in displacers {
        MFInt32 coordIndex; SFString description ""; MFVec3f displacements; SFString name "";
        SFFloat weight 0;
    }
    HAnimHumanoid in children {
        SFVec3f center 0 0 0; MFNode children; SFRotation rotation 0 0 1 0;
        SFVec3f scale 1 1 1; SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0;
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFBool visible true;
        SFString description ""; MFString info; MFVec3f jointBindingPositions 0 0 0;
        MFRotation jointBindingRotations 0 0 1 0; MFVec3f jointBindingScales 1 1 1;
        MFNode joints; SFInt32 loa -1; MFBool motionsEnabled; MFNode motions; SFString name "";
        MFNode segments; MFNode sites; SFString skeletalConfiguration "BASIC"; MFNode skeleton;
        MFNode skin; SFNode skinBindingCoords; SFNode skinBindingNormals; SFNode skinCoord;
        SFNode skinNormal; SFString version ""; MFNode viewpoints;
    }
    HAnimJoint in children {
        SFVec3f center 0 0 0; MFNode children; SFRotation rotation 0 0 1 0;
        SFVec3f scale 1 1 1; SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0;
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFBool visible true;
        SFString description ""; MFNode displacers; SFRotation limitOrientation 0 0 1 0;
        MFFloat llimit; SFString name ""; MFInt32 skinCoordIndex; MFFloat skinCoordWeight;
        MFFloat stiffness 0 0 0; MFFloat ulimit;
    }
    HAnimSegment in children {
        SFVec3f center 0 0 0; MFNode children; SFRotation rotation 0 0 1 0;
        SFVec3f scale 1 1 1; SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0;
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFBool visible true;
        SFVec3f centerOfMass 0 0 0; SFNode coord; SFString description ""; MFNode displacers;
        SFFloat mass 0; MFFloat momentsOfInertia 0 0 0 0 0 0 0 0 0; SFString name "";
    }
    HAnimSite in children {
        SFVec3f center 0 0 0; MFNode children; SFRotation rotation 0 0 1 0;
        SFVec3f scale 1 1 1; SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0;
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFBool visible true;
        SFString description ""; SFString name "";
    }
    ImageTexture in texture {
        SFString alphaChannel "AUTO"; SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600;
        SFString crossOrigin ""; SFString description ""; MFNode effects;
        SFBool flipVertically false; SFBool load true; SFBool repeatS true; SFBool repeatT true;
        SFNode textureProperties; MFString url;
    }
    IndexedFaceSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; MFInt32 colorIndex;
        SFBool colorPerVertex true; SFBool convex true; SFNode coord; MFInt32 coordIndex;
        SFFloat creaseAngle 0; SFNode fogCoord; SFNode normal; MFInt32 normalIndex;
        SFBool normalPerVertex true; MFVec3f radianceTransfer; MFInt32 skinJoints0;
        MFVec4f skinWeights0; SFBool solid true; SFNode tangent; SFNode texCoord;
        MFInt32 texCoordIndex;
    }
    IndexedLineSet in geometry {
        MFNode attrib; SFNode color; MFInt32 colorIndex; SFBool colorPerVertex true; SFNode coord;
        MFInt32 coordIndex; SFNode fogCoord; SFNode normal;
        MFInt32 skinJoints0; MFVec4f skinWeights0;
    }
    IndexedQuadSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; MFInt32 index; SFNode normal; SFBool normalPerVertex true;
        MFVec3f radianceTransfer; MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true;
        SFNode tangent; SFNode texCoord;
    }
    IndexedTriangleFanSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; MFInt32 index; SFNode normal; SFBool normalPerVertex true;
        MFVec3f radianceTransfer; MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true;
        SFNode tangent; SFNode texCoord;
    }
    IndexedTriangleSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; MFInt32 index; SFNode normal; SFBool normalPerVertex true;
        MFVec3f radianceTransfer; MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true;
        SFNode tangent; SFNode texCoord;
    }
    IndexedTriangleStripSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; MFInt32 index; SFNode normal; SFBool normalPerVertex true;
        MFVec3f radianceTransfer; MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true;
        SFNode tangent; SFNode texCoord;
    }
    Inline in children {
        SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600; SFVec3f bboxCenter 0 0 0;
        SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1; SFString description "";
        SFBool global false; SFBool load true; MFString replaceNames; MFNode replaceNodes;
        MFString url; SFBool visible true;
    }
    IntegerSequencer in children {
        SFBool forceContinuousValue_changed false; MFFloat key; MFInt32 keyValue;
    }
    IntegerTrigger in children { SFInt32 integerKey -1; }
    KeySensor in children { SFString description ""; SFBool enabled true; }
    LOD in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFVec3f center 0 0 0; MFNode children; SFBool forceTransitions false; MFFloat range;
        SFBool visible true;
    }
    Layer in layers {
        MFNode children; MFString objectType "ALL"; SFBool pickable true; SFNode viewport;
        SFBool visible true;
    }
    LayerSet in children { SFInt32 activeLayer 0; MFNode children; MFInt32 order 0; }
    LayoutGroup in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFNode layout; SFNode viewport; SFBool visible true;
    }
    LayoutLayer in layers {
        MFNode children; SFNode layout; MFString objectType "ALL"; SFBool pickable true;
        SFNode viewport; SFBool visible true;
    }
    LineProperties in lineProperties {
        SFBool applied true; SFInt32 linetype 1; SFFloat linewidthScaleFactor 0;
    }
    LineSet in geometry {
        MFNode attrib; SFNode color; SFNode coord; SFNode fogCoord; SFNode normal;
        MFInt32 vertexCount;
        MFInt32 skinJoints0; MFVec4f skinWeights0;
    }
    LoadSensor in children {
        MFNode children; SFString description ""; SFBool enabled true; SFTime timeOut 0;
        MFNode watchList;
    }
    LocalFog in children {
        SFColor color 1 1 1; SFBool enabled true; SFString fogType "LINEAR";
        SFFloat visibilityRange 0; SFBool volumetric false; SFVec3f volumetricDirection 0 -1 0;
        SFFloat volumetricVisibilityStart 0;
    }
    Material in material {
        SFFloat ambientIntensity 0.2; SFNode ambientTexture; SFInt32 ambientTextureChannel 0;
        SFString ambientTextureMapping ""; SFColor diffuseColor 0.8 0.8 0.8; SFNode diffuseTexture;
        SFInt32 diffuseTextureChannel 0; SFString diffuseTextureMapping "";
        SFColor emissiveColor 0 0 0; SFNode emissiveTexture; SFInt32 emissiveTextureChannel 0;
        SFString emissiveTextureMapping ""; SFBool fogImmune false; SFFloat mirror 0;
        SFFloat normalScale 1; SFNode normalTexture; SFInt32 normalTextureChannel 0;
        SFString normalTextureMapping ""; SFFloat occlusionStrength 1; SFNode occlusionTexture;
        SFInt32 occlusionTextureChannel 0; SFString occlusionTextureMapping ""; MFColor reflDiffuse;
        MFColor reflSpecular; SFFloat reflSpecularExp 1000000; SFFloat shininess 0.2;
        SFNode shininessTexture; SFInt32 shininessTextureChannel 0;
        SFString shininessTextureMapping ""; SFColor specularColor 0 0 0; SFNode specularTexture;
        SFInt32 specularTextureChannel 0; SFString specularTextureMapping ""; MFColor transDiffuse;
        MFColor transSpecular; SFFloat transSpecularExp 1000000; SFFloat transparency 0;
    }
    MatrixTransform in children {
        MFNode children; SFMatrix4f matrix 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1; SFBool visible true;
    }
    MetadataBoolean in metadata { SFString name ""; SFString reference ""; MFBool value; }
    MetadataDouble in metadata { SFString name ""; SFString reference ""; MFFloat value; }
    MetadataFloat in metadata { SFString name ""; SFString reference ""; MFFloat value; }
    MetadataInteger in metadata { SFString name ""; SFString reference ""; MFInt32 value; }
    MetadataSet in metadata { SFString name ""; SFString reference ""; MFNode value; }
    MetadataString in metadata { SFString name ""; SFString reference ""; MFString value; }
    MovieTexture in texture {
        SFString alphaChannel "AUTO"; SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600;
        SFString crossOrigin ""; SFString description ""; MFNode effects; SFBool enabled true;
        SFBool flipVertically false; SFFloat gain 1; SFBool load true; SFBool loop false;
        SFTime pauseTime 0; SFFloat pitch 1; SFBool repeatS true; SFBool repeatT true;
        SFTime resumeTime 0; SFFloat speed 1; SFTime startTime 0; SFTime stopTime 0;
        SFNode textureProperties; MFString url;
    }
    MultiTexture in texture {
        SFFloat alpha 1; SFColor color 1 1 1; SFString description ""; MFString function;
        MFString mode; MFString source; MFNode texture;
    }
    MultiTextureCoordinate in texCoord { SFString mapping ""; MFNode texCoord; }
    MultiTextureTransform in textureTransform { MFNode textureTransform; }
    NavigationInfo in children {
        MFFloat avatarSize 0.25 1.6 0.75; SFString blendingSort "DEFAULT"; SFFloat headBobbing 0.02;
        SFFloat headBobbingTime 0.5; SFBool headlight true; SFNode headlightNode; SFFloat speed 1;
        SFBool timeOriginAtLoad false; SFTime transitionTime 1; MFString transitionType "LINEAR";
        MFString type "EXAMINE" "ANY"; SFFloat visibilityLimit 0;
    }
    Normal in normal { MFVec3f vector; }
    NormalInterpolator in children { MFFloat key; MFVec3f keyValue; }
    OrientationInterpolator in children {
        MFFloat key; MFRotation keyValue; SFBool keyValueQuaternions false;
    }
    OrthoViewpoint in children {
        SFBool cameraMatrixSendAlsoOnOffscreenRendering false; SFVec3f centerOfRotation 0 0 0;
        SFString description ""; MFVec3f direction; SFFloat farDistance -1;
        MFFloat fieldOfView -1 -1 1 1; SFBool gravityTransform true; SFVec3f gravityUp 0 1 0;
        SFBool jump true; SFNode navigationInfo; SFFloat nearDistance -1;
        SFRotation orientation 0 0 1 0; SFVec3f position 0 0 10; SFBool retainUserOffsets false;
        MFVec3f up; SFBool viewAll false;
    }
    PhysicalMaterial in material {
        SFColor baseColor 1 1 1; SFNode baseTexture; SFInt32 baseTextureChannel 0;
        SFString baseTextureMapping ""; SFColor emissiveColor 0 0 0; SFNode emissiveTexture;
        SFInt32 emissiveTextureChannel 0; SFString emissiveTextureMapping ""; SFFloat metallic 1;
        SFNode metallicRoughnessTexture; SFInt32 metallicRoughnessTextureChannel 0;
        SFString metallicRoughnessTextureMapping ""; SFFloat normalScale 1; SFNode normalTexture;
        SFInt32 normalTextureChannel 0; SFString normalTextureMapping "";
        SFFloat occlusionStrength 1; SFNode occlusionTexture; SFInt32 occlusionTextureChannel 0;
        SFString occlusionTextureMapping ""; SFFloat roughness 1; SFFloat transparency 0;
    }
    PickableGroup in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFString description ""; MFString objectType "ALL"; SFBool pickable true;
        SFBool visible true;
    }
    PixelTexture in texture {
        SFString alphaChannel "AUTO"; SFString crossOrigin ""; SFString description "";
        MFNode effects; SFImage image 0 0 0; SFBool repeatS true; SFBool repeatT true;
        SFNode textureProperties;
    }
    PlaneSensor in children {
        SFBool autoOffset true; SFRotation axisRotation 0 0 1 0; SFString description "";
        SFBool enabled true; SFVec2f maxPosition -1 -1; SFVec2f minPosition 0 0;
        SFVec3f offset 0 0 0;
    }
    PointLight in children {
        SFFloat ambientIntensity 0; SFVec3f attenuation 1 0 0; SFColor color 1 1 1;
        SFNode defaultShadowMap; MFNode effects; SFBool global true; SFFloat intensity 1;
        SFVec3f location 0 0 0; SFBool on true; SFFloat projectionFar 100; SFFloat projectionNear 1;
        SFFloat radius 100; SFFloat shadowIntensity 1; SFBool shadowVolumes false;
        SFBool shadowVolumesMain false; SFBool shadows false; SFVec3f up 0 1 0;
    }
    PointProperties in pointProperties {
        SFVec3f attenuation 1 0 0; SFFloat pointSizeMaxValue 1; SFFloat pointSizeMinValue 1;
        SFFloat pointSizeScaleFactor 1;
    }
    PointSet in geometry {
        MFNode attrib; SFNode color; SFNode coord; SFNode fogCoord; SFNode normal;
        MFInt32 skinJoints0; MFVec4f skinWeights0;
    }
    Polyline2D in geometry { MFVec2f lineSegments; }
    Polypoint2D in geometry { MFVec2f point; }
    PositionInterpolator in children { MFFloat key; MFVec3f keyValue; }
    PositionInterpolator2D in children { MFFloat key; MFVec2f keyValue; }
    ProximitySensor in children {
        SFVec3f center 0 0 0; SFString description ""; SFBool enabled true; SFVec3f size 0 0 0;
    }
    QuadSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; SFNode normal; SFBool normalPerVertex true; MFVec3f radianceTransfer;
        MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true; SFNode tangent;
        SFNode texCoord;
    }
    Rectangle2D in geometry { SFVec2f size 2 2; SFBool solid false; }
    ScalarInterpolator in children { MFFloat key; MFFloat keyValue; }
    ScreenGroup in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFBool visible true;
    }
    Script in children {
        SFTime autoRefresh 0; SFTime autoRefreshTimeLimit 3600; SFString description "";
        SFBool directOutput false; SFBool load true; SFBool mustEvaluate false;
        SFString sourceCode ""; MFString url;
    }
    Shape in children {
        SFNode appearance; SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false;
        SFVec3f bboxSize -1 -1 -1; SFBool castShadow true; SFString collision "DEFAULT";
        SFNode geometry; SFNode octreeTriangles; SFString shading "DEFAULT"; SFBool visible true;
    }
    Skin in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFMatrix4f inverseBindMatrices; MFNode joints; MFNode shapes; SFNode skeleton;
        SFBool visible true;
    }
    Sound in children {
        SFString description ""; SFVec3f direction 0 0 1; SFBool enabled true; SFFloat intensity 1;
        SFVec3f location 0 0 0; SFFloat maxBack 10; SFFloat maxFront 10; SFFloat minBack 1;
        SFFloat minFront 1; SFFloat priority 0; SFNode source; SFBool spatialize true;
    }
    Sphere in geometry {
        SFFloat radius 1; SFInt32 slices -1; SFBool solid true; SFInt32 stacks -1; SFNode texCoord;
    }
    SphereSensor in children {
        SFBool autoOffset true; SFString description ""; SFBool enabled true;
        SFRotation offset 0 1 0 0;
    }
    SplinePositionInterpolator in children {
        SFBool closed false; MFFloat key; MFVec3f keyValue; MFVec3f keyVelocity;
        SFBool normalizeVelocity false;
    }
    SplineScalarInterpolator in children {
        SFBool closed false; MFFloat key; MFFloat keyValue; MFFloat keyVelocity;
        SFBool normalizeVelocity false;
    }
    SpotLight in children {
        SFFloat ambientIntensity 0; SFVec3f attenuation 1 0 0; SFFloat beamWidth 0.589049;
        SFColor color 1 1 1; SFFloat cutOffAngle 1.570796; SFNode defaultShadowMap;
        SFVec3f direction 0 0 -1; MFNode effects; SFBool global true; SFFloat intensity 1;
        SFVec3f location 0 0 0; SFBool on true; SFFloat projectionAngle 0;
        SFFloat projectionFar 100; SFFloat projectionNear 1; SFFloat radius 100;
        SFFloat shadowIntensity 1; SFBool shadowVolumes false; SFBool shadowVolumesMain false;
        SFBool shadows false; SFVec3f up 0 1 0;
    }
    StaticGroup in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFBool visible true;
    }
    StringSensor in children {
        SFBool deletionAllowed true; SFString description ""; SFBool enabled true;
    }
    Switch in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        MFNode children; SFBool visible true; SFInt32 whichChoice -1;
    }
    Tangent in tangent { MFVec4f vector; }
    Text in geometry {
        SFNode fontStyle; MFFloat length; SFInt32 maxDisplayChars -1; SFFloat maxExtent 0;
        SFBool solid false; MFString string; SFNode texCoord;
    }
    TextureBackground in children {
        SFNode backTexture; SFNode bottomTexture; MFNode effects; SFNode frontTexture;
        MFFloat groundAngle; MFColor groundColor; SFNode leftTexture; SFNode rightTexture;
        MFNode shaders; MFFloat skyAngle; MFColor skyColor 0 0 0; SFNode topTexture;
        SFFloat transparency 0;
    }
    TextureCoordinate in texCoord { SFString mapping ""; MFVec2f point; }
    TextureCoordinateGenerator in texCoord {
        SFString mapping ""; SFString mode "SPHERE"; MFFloat parameter;
    }
    TextureProperties in textureProperties {
        SFFloat anisotropicDegree 1; SFColorRGBA borderColor 0 0 0 0; SFInt32 borderWidth 0;
        SFString boundaryModeR "REPEAT"; SFString boundaryModeS "REPEAT";
        SFString boundaryModeT "REPEAT"; SFBool generateMipMaps false; SFBool guiTexture false;
        SFString magnificationFilter "FASTEST"; SFString minificationFilter "FASTEST";
        SFString textureCompression "FASTEST"; SFFloat texturePriority 0;
    }
    TextureTransform in textureTransform {
        SFVec2f center 0 0; SFString mapping ""; SFFloat rotation 0; SFVec2f scale 1 1;
        SFVec2f translation 0 0;
    }
    TimeSensor in children {
        SFTime cycleInterval 1; SFString description ""; SFBool detectAffectedFields true;
        SFBool enabled true; SFBool fractionIncreasing true; SFBool loop false; SFTime pauseTime 0;
        SFTime resumeTime 0; SFTime startTime 0; SFTime stopTime 0;
    }
    TimeTrigger in children {}
    TouchSensor in children { SFString description ""; SFBool enabled true; }
    Transform in children {
        SFVec3f bboxCenter 0 0 0; SFBool bboxDisplay false; SFVec3f bboxSize -1 -1 -1;
        SFVec3f center 0 0 0; MFNode children; SFRotation rotation 0 0 1 0; SFVec3f scale 1 1 1;
        SFRotation scaleOrientation 0 0 1 0; SFVec3f translation 0 0 0; SFBool visible true;
    }
    TriangleFanSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        MFInt32 fanCount; SFNode fogCoord; SFNode normal; SFBool normalPerVertex true;
        MFVec3f radianceTransfer; MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true;
        SFNode tangent; SFNode texCoord;
    }
    TriangleSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; SFNode normal; SFBool normalPerVertex true; MFVec3f radianceTransfer;
        MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true; SFNode tangent;
        SFNode texCoord;
    }
    TriangleSet2D in geometry { SFBool solid false; MFVec2f vertices; }
    TriangleStripSet in geometry {
        MFNode attrib; SFBool ccw true; SFNode color; SFBool colorPerVertex true; SFNode coord;
        SFNode fogCoord; SFNode normal; SFBool normalPerVertex true; MFVec3f radianceTransfer;
        MFInt32 skinJoints0; MFVec4f skinWeights0; SFBool solid true; MFInt32 stripCount;
        SFNode tangent; SFNode texCoord;
    }
    TwoSidedMaterial in material {
        SFFloat ambientIntensity 0.2; SFFloat backAmbientIntensity 0.2;
        SFColor backDiffuseColor 0.8 0.8 0.8; SFColor backEmissiveColor 0 0 0;
        SFFloat backShininess 0.2; SFColor backSpecularColor 0 0 0; SFFloat backTransparency 0;
        SFColor diffuseColor 0.8 0.8 0.8; SFColor emissiveColor 0 0 0;
        SFBool separateBackColor false; SFFloat shininess 0.2; SFColor specularColor 0 0 0;
        SFFloat transparency 0;
    }
    UnlitMaterial in material {
        SFColor emissiveColor 1 1 1; SFNode emissiveTexture; SFInt32 emissiveTextureChannel 0;
        SFString emissiveTextureMapping ""; SFFloat normalScale 1; SFNode normalTexture;
        SFInt32 normalTextureChannel 0; SFString normalTextureMapping ""; SFFloat transparency 0;
    }
    Viewpoint in children {
        SFBool cameraMatrixSendAlsoOnOffscreenRendering false; SFVec3f centerOfRotation 0 0 0;
        SFString description ""; MFVec3f direction; SFFloat farDistance -1;
        SFFloat fieldOfView 0.7854; SFBool fieldOfViewForceVertical false;
        SFBool gravityTransform true; SFVec3f gravityUp 0 1 0; SFBool jump true;
        SFNode navigationInfo; SFFloat nearDistance -1; SFRotation orientation 0 0 1 0;
        SFVec3f position 0 0 10; SFBool retainUserOffsets false; MFVec3f up; SFBool viewAll false;
    }
    ViewpointGroup in children {
        SFVec3f center 0 0 0; MFNode children; SFString description ""; SFBool displayed true;
        SFBool retainUserOffsets false; SFVec3f size 0 0 0;
    }
    VisibilitySensor in children {
        SFVec3f center 0 0 0; SFString description ""; SFBool enabled true; SFVec3f size 0 0 0;
    }
    WorldInfo in children { MFString info; SFString title ""; }
};
