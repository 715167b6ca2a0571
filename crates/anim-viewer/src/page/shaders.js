// The shaders. All meshes share one vertex shader, which deforms vertices by morph targets and
// skins. Its variants are selected by definitions.

export const MESH_VERTEX = `
in vec3 position;
in vec3 normal;
in vec2 texcoord;
in vec2 texcoord1;
in vec4 color;
in vec4 joints0;
in vec4 joints1;
in vec4 weights0;
in vec4 weights1;
uniform mat4 world;
uniform mat4 camera;
uniform highp sampler2D bones;
uniform highp sampler2D targets;
uniform highp sampler2D entries;
uniform int entryCount;
uniform int vertexCount;
uniform int targetParts;
uniform float pointSize;
out vec3 placeOut;
out vec3 normalOut;
out vec2 texcoordOut;
out vec2 texcoord1Out;
out vec4 colorOut;

vec3 target(int index) {
  int width = textureSize(targets, 0).x;
  return texelFetch(targets, ivec2(index % width, index / width), 0).xyz;
}

mat4 bone(float joint) {
  int at = int(joint) * 4;
  int width = textureSize(bones, 0).x;
  ivec2 place = ivec2(at % width, at / width);
  return mat4(texelFetch(bones, place, 0), texelFetch(bones, place + ivec2(1, 0), 0), texelFetch(bones, place + ivec2(2, 0), 0), texelFetch(bones, place + ivec2(3, 0), 0));
}

void main() {
  vec3 place = position;
  vec3 facing = normal;
#ifdef MORPHS
  for (int i = 0; i < entryCount; i += 1) {
    vec2 entry = texelFetch(entries, ivec2(i, 0), 0).xy;
    int at = int(entry.x) * vertexCount * targetParts + gl_VertexID;
    place += entry.y * target(at);
    if (targetParts == 2) facing += entry.y * target(at + vertexCount);
  }
#endif
  mat4 model = world;
#ifdef SKIN
  model = weights0.x * bone(joints0.x) + weights0.y * bone(joints0.y) + weights0.z * bone(joints0.z) + weights0.w * bone(joints0.w);
#ifdef WIDE
  model += weights1.x * bone(joints1.x) + weights1.y * bone(joints1.y) + weights1.z * bone(joints1.z) + weights1.w * bone(joints1.w);
#endif
#endif
  vec4 found = model * vec4(place, 1.0);
  placeOut = found.xyz;
  mat3 turn = mat3(model);
  // The cofactors of the matrix are its inverse transpose but for a factor, and exist for any scale.
  normalOut = mat3(cross(turn[1], turn[2]), cross(turn[2], turn[0]), cross(turn[0], turn[1])) * facing;
  if (determinant(turn) < 0.0) normalOut = -normalOut;
  texcoordOut = texcoord;
  texcoord1Out = texcoord1;
  colorOut = color;
  gl_Position = camera * vec4(found.xyz, 1.0);
  gl_PointSize = pointSize;
}`;

export const MESH_FRAGMENT = `
precision highp float;
in vec3 placeOut;
in vec3 normalOut;
in vec2 texcoordOut;
in vec2 texcoord1Out;
in vec4 colorOut;
uniform vec4 baseColor;
uniform vec3 emissive;
uniform float metallic;
uniform float roughness;
uniform sampler2D baseTexture;
uniform sampler2D emissiveTexture;
uniform int baseSet;
uniform int emissiveSet;
uniform bool unlit;
uniform bool flatShaded;
uniform float cutoff;
uniform bool opaque;
uniform vec3 eye;
uniform vec3 up;
uniform vec3 side;
out vec4 result;

vec3 encoded(vec3 linear) {
  vec3 low = linear * 12.92;
  vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, lessThanEqual(linear, vec3(0.0031308)));
}

void main() {
  vec4 base = baseColor * colorOut;
  if (baseSet >= 0) base *= texture(baseTexture, baseSet == 0 ? texcoordOut : texcoord1Out);
  if (base.a < cutoff) discard;
  if (opaque) base.a = 1.0;
  vec3 light = base.rgb;
  if (!unlit) {
    vec3 view = normalize(eye - placeOut);
    vec3 facing = flatShaded ? cross(dFdx(placeOut), dFdy(placeOut)) : normalOut;
    facing = length(facing) > 0.0 ? normalize(facing) : view;
    if (flatShaded ? dot(facing, view) < 0.0 : !gl_FrontFacing) facing = -facing;
    float sky = 0.5 + 0.5 * dot(facing, up);
    vec3 ambient = mix(vec3(0.20, 0.19, 0.19), vec3(0.42, 0.45, 0.49), sky);
    vec3 key = normalize(up * 0.9 + side * 0.55 + view * 0.55);
    float lambert = max(dot(facing, key), 0.0);
    float shine = pow(max(dot(facing, normalize(key + view)), 0.0), mix(90.0, 6.0, roughness)) * mix(0.5, 0.04, roughness);
    vec3 spot = mix(vec3(0.35), base.rgb, metallic) * shine;
    light = base.rgb * (ambient + vec3(0.62, 0.60, 0.56) * lambert) * mix(1.0, 0.75, metallic) + spot;
  }
  vec3 glow = emissive;
  if (emissiveSet >= 0) glow *= texture(emissiveTexture, emissiveSet == 0 ? texcoordOut : texcoord1Out).rgb;
  result = vec4(encoded(light + glow), base.a);
}`;

/** One colour: wireframes, and the number of what is drawn, to find what is below the pointer. */
export const PLAIN_FRAGMENT = `
precision highp float;
uniform vec4 plain;
out vec4 result;
void main() { result = plain; }`;

/** Lines that are some pixels wide: each is an instance of four corners. */
export const LINE_VERTEX = `
in vec3 start;
in vec3 end;
in vec4 tint;
in float width;
uniform mat4 camera;
uniform vec2 viewport;
out vec4 tintOut;
void main() {
  vec4 a = camera * vec4(start, 1.0);
  vec4 b = camera * vec4(end, 1.0);
  // Cut at the near plane, where the direction on the screen would flip.
  float near = 1e-6;
  if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); tintOut = tint; return; }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
  along = length(along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec4 place = corner.x == 0.0 ? a : b;
  vec2 shift = vec2(-along.y, along.x) * (corner.y - 0.5) * width + along * (corner.x - 0.5) * min(width, 2.0);
  place.xy += shift * 2.0 / viewport * place.w;
  gl_Position = place;
  tintOut = tint;
}`;

export const LINE_FRAGMENT = `
precision highp float;
in vec4 tintOut;
out vec4 result;
void main() { result = tintOut; }`;

/** Compiles a program. `captured` are the outputs that transform feedback writes. */
export function program(gl, vertex, fragment, definitions = [], captured = []) {
  const made = gl.createProgram();
  const head = `#version 300 es\n${definitions.map((name) => `#define ${name}\n`).join('')}`;
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, head + text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    gl.deleteShader(shader);
  }
  ATTRIBUTES.forEach((name, place) => gl.bindAttribLocation(made, place, name));
  if (captured.length > 0) gl.transformFeedbackVaryings(made, captured, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = gl.getAttachedShaders(made).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`${gl.getProgramInfoLog(made)} ${logs.join(' ')}`.trim());
  }
  const places = {};
  for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i += 1) {
    const { name } = gl.getActiveUniform(made, i);
    places[name] = gl.getUniformLocation(made, name);
  }
  return { made, places };
}

/** The vertex attributes of meshes, at fixed locations. */
export const ATTRIBUTES = ['position', 'normal', 'texcoord', 'texcoord1', 'color', 'joints0', 'joints1', 'weights0', 'weights1'];
