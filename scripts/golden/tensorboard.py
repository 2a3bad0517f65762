#!/usr/bin/env python3
"""Writes tests/report/golden/events.tfevents by TensorBoard's own code, which entrain's writer must match to the byte;
or reads a file that entrain wrote with it.

    pip install tensorboard==2.21.0 setuptools; python3 scripts/golden/tensorboard.py
    python3 scripts/golden/tensorboard.py FOLDER     prints each tag, its steps and values, as TensorBoard sees them
"""

import pathlib
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/report/golden/events.tfevents"


def write():
    OUT.parent.mkdir(parents=True, exist_ok=True)
    with open(OUT, "wb") as file:
        records = RecordWriter(file)
        records.write(Event(wall_time=1700000000.25, file_version="brain.Event:2").SerializeToString())
        for step, scalars in [
            (1, {"loss": 1.5, "learning_rate": 1e-3}),
            (128, {"loss": 0.1, "time/wait": 0.0, "dev/F1": -1.0}),
            (3_000_000_000, {"a tag of more than one hundred and twenty-seven characters " * 4: 3e38, "λ": 1e-45}),
            (7, {"not a number": float("nan"), "infinite": float("inf")}),
        ]:
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value) for tag, value in scalars.items()])
            records.write(Event(wall_time=1700000000.25 + step, step=step, summary=summary).SerializeToString())
        start = plugin_data_pb2.SessionStartInfo(start_time_secs=1700000000.25)
        for name, number in {"learning_rate": 5e-5, "seed": 0}.items():
            start.hparams[name].number_value = number
        start.hparams["optimizer"].string_value = "AdamW, \u03bb"
        end = plugin_data_pb2.SessionEndInfo(status=api_pb2.STATUS_SUCCESS, end_time_secs=1700000000.25)
        for tag, data in [
            (metadata.SESSION_START_INFO_TAG, plugin_data_pb2.HParamsPluginData(session_start_info=start)),
            (metadata.SESSION_END_INFO_TAG, plugin_data_pb2.HParamsPluginData(session_end_info=end)),
        ]:
            # its texts again, in the order of their names, as protocol buffers do not define the order of a map
            about = metadata.create_summary_metadata(data)
            about.plugin_data.content = data.SerializeToString(deterministic=True)
            summary = Summary(value=[Summary.Value(tag=tag, metadata=about, tensor=metadata.NULL_TENSOR)])
            records.write(Event(wall_time=1700000000.25, summary=summary).SerializeToString())
        records.flush()


def read(folder):
    events = EventAccumulator(folder, size_guidance={"scalars": 0})
    events.Reload()
    for tag in events.Tags()["scalars"]:
        values = events.Scalars(tag)
        print(f"{tag}: {len(values)} values, steps {values[0].step} to {values[-1].step}, "
              f"{values[0].value:.6g} to {values[-1].value:.6g}")
    for tag, content in events.PluginTagToContent("hparams").items():
        print(f"{tag}: {plugin_data_pb2.HParamsPluginData.FromString(content)}")


if __name__ == "__main__":
    read(sys.argv[1]) if len(sys.argv) > 1 else write()
