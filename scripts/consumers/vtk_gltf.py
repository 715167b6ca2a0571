"""VTK: vtkGLTFReader, which applies skins and morph targets to the geometry."""

import struct
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy


def main(file, moments):
    # Other programs load files with this importer, so it must not crash. Its result is not compared.
    importer = vtk.vtkGLTFImporter()
    importer.SetFileName(file)
    importer.Update()

    answers = []
    reader, played = None, None
    for moment in moments:
        clips, seconds = moment.split("@")
        numbers = [int(number) for number in clips.split(">") if number]
        if reader is None or numbers != played:
            reader = open_file(file)
            played = numbers
            for before in numbers[:-1]:
                show(reader, before, 0.1)
        show(reader, numbers[-1] if numbers else None, float(seconds or 0))
        points = corners(reader)
        answers.append(struct.pack("<I", len(points)))
        answers.append(struct.pack(f"<{3 * len(points)}d", *(x for p in points for x in p)))
    sys.stdout.buffer.write(b"".join(answers))


def open_file(file):
    reader = vtk.vtkGLTFReader()
    reader.SetFileName(file)
    reader.ApplyDeformationsToGeometryOn()
    reader.SetFrameRate(60)
    reader.UpdateInformation()
    return reader


def show(reader, number, seconds):
    # The next update resets a disabled animation after applying the others.
    for shown in (None, number):
        for animation in range(reader.GetNumberOfAnimations()):
            enable = reader.EnableAnimation if animation == shown else reader.DisableAnimation
            enable(animation)
        reader.UpdateInformation()
        reader.Modified()
        reader.UpdateTimeStep(seconds)


def corners(reader):
    points = []
    iterator = reader.GetOutput().NewIterator()
    while not iterator.IsDoneWithTraversal():
        part = iterator.GetCurrentDataObject()
        iterator.GoToNextItem()
        if part.GetPoints() is None:
            continue
        places = vtk_to_numpy(part.GetPoints().GetData()).astype(float)
        used = set()
        for cells in (part.GetPolys(), part.GetLines(), part.GetVerts(), part.GetStrips()):
            used.update(vtk_to_numpy(cells.GetConnectivityArray()).tolist())
        points.extend(places[sorted(used)].tolist())
    return points


main(sys.argv[1], sys.argv[2:])
