// The samples: files of the cookbook.

/** `file`: the one to open first, if there are several. */
export const SAMPLES = [
  { name: 'reed', title: 'Reed', text: 'Animated OBJ with a skeleton', files: ['reed.amo'] },
  { name: 'robot', title: 'Robot', text: 'glTF with several clips, split by ANM text', files: ['robot.gltf', 'cuts.anm'], file: 'robot.gltf' },
  { name: 'rabbit', title: 'Rabbit', text: 'TMD model with two animations (ANM)', files: ['RABBIT.TMD', 'WALK.ANM', 'RUN.ANM'], file: 'WALK.ANM' },
  { name: 'lamp', title: 'Lamp', text: 'MindRender STT: states to click through', files: ['lamp.stt', 'lamp.gltf'], file: 'lamp.stt' },
  { name: 'knight', title: 'Knight', text: 'Folder with castle-anim-frames', files: ['knight/attack.castle-anim-frames', 'knight/walk.castle-anim-frames'], folder: 'animations', file: 'knight/walk.castle-anim-frames' },
  { name: 'door', title: 'Door', text: 'castle-anim-frames', files: ['door.castle-anim-frames'], folder: 'animations' },
  { name: 'broken', title: 'Broken file', text: 'Animated OBJ with an error', files: ['broken.amo'] },
  { name: 'sloppy', title: 'Sloppy file', text: 'Animated OBJ with problems that can be repaired', files: ['sloppy.amo'] },
];

/** Fetches the files of a sample, from the same place as the page. */
export function fetchSample({ files, folder }) {
  return Promise.all(files.map(async (path) => {
    const answer = await fetch(new URL(`samples/${folder ? `${folder}/` : ''}${path}`, import.meta.url));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return { path, file: new File([await answer.blob()], path.split('/').pop()) };
  }));
}
