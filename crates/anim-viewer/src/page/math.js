// Vectors are arrays of three numbers, quaternions x y z w, and matrices 16 numbers, column-major, as
// in glTF. All of them are 64-bit.

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Writes the product of the matrices at two offsets to a third. */
export function multiply(out, to, a, i, b, j) {
  for (let column = 0; column < 4; column += 1) {
    const [x, y, z, w] = [b[j + column * 4], b[j + column * 4 + 1], b[j + column * 4 + 2], b[j + column * 4 + 3]];
    for (let row = 0; row < 4; row += 1) {
      out[to + column * 4 + row] = a[i + row] * x + a[i + 4 + row] * y + a[i + 8 + row] * z + a[i + 12 + row] * w;
    }
  }
  return out;
}

export const product = (a, b) => multiply(new Float64Array(16), 0, a, 0, b, 0);

/** Writes the matrix of a translation, a rotation and a scale, each at an offset. */
export function compose(out, to, t, i, r, j, s, k) {
  const [x, y, z, w] = [r[j], r[j + 1], r[j + 2], r[j + 3]];
  const [a, b, c] = [s[k], s[k + 1], s[k + 2]];
  out[to] = (1 - 2 * (y * y + z * z)) * a;
  out[to + 1] = 2 * (x * y + z * w) * a;
  out[to + 2] = 2 * (x * z - y * w) * a;
  out[to + 3] = 0;
  out[to + 4] = 2 * (x * y - z * w) * b;
  out[to + 5] = (1 - 2 * (x * x + z * z)) * b;
  out[to + 6] = 2 * (y * z + x * w) * b;
  out[to + 7] = 0;
  out[to + 8] = 2 * (x * z + y * w) * c;
  out[to + 9] = 2 * (y * z - x * w) * c;
  out[to + 10] = (1 - 2 * (x * x + y * y)) * c;
  out[to + 11] = 0;
  out[to + 12] = t[i];
  out[to + 13] = t[i + 1];
  out[to + 14] = t[i + 2];
  out[to + 15] = 1;
}

/** The point's position after a matrix, without perspective. */
export function transformed(m, [x, y, z], i = 0) {
  return [0, 1, 2].map((row) => m[i + row] * x + m[i + 4 + row] * y + m[i + 8 + row] * z + m[i + 12 + row]);
}

export function perspective(fovy, aspect, near, far) {
  const f = 1 / Math.tan(fovy / 2);
  const d = 1 / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0, 2 * near * far * d, 0];
}

export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a, b, k = 1) => [a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

/** The matrix from world space to the space of a camera that looks from one point at another. */
export function lookAt(eye, target, up) {
  const z = unit(minus(eye, target));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}

/** Writes the rotation between two rotations along the shorter arc, each at an offset. */
export function slerp(out, to, a, i, b, j, part) {
  let cosine = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let [first, second] = [1 - part, part];
  if (cosine < 0.9999999) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    [first, second] = [Math.sin(first * angle) / sine, Math.sin(second * angle) / sine];
  }
  for (let c = 0; c < 4; c += 1) out[to + c] = first * a[i + c] + sign * second * b[j + c];
  normalize(out, to);
}

export function normalize(q, i) {
  const length = Math.hypot(q[i], q[i + 1], q[i + 2], q[i + 3]);
  if (length > 0) for (let c = 0; c < 4; c += 1) q[i + c] /= length;
}

/** Grows a box, six numbers, to contain the points, three numbers each. */
export function grow(box, points) {
  for (let i = 0; i + 2 < points.length; i += 3) {
    for (let axis = 0; axis < 3; axis += 1) {
      const x = points[i + axis];
      if (x < box[axis]) box[axis] = x;
      if (x > box[axis + 3]) box[axis + 3] = x;
    }
  }
  return box;
}

export const emptyBox = () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
