"""Reads a trace with Perfetto's own trace processor and queries it. Prints a line for each thread's intervals of a name,
`THREAD<TAB>NAME<TAB>COUNT<TAB>NANOSECONDS`; an error that the processor counts or reports ends the program.

    python perfetto_slices.py PAGE TRACE      PAGE: the folder of perfetto.js; needs the packages perfetto and protobuf
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

from google.protobuf import message_factory
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

page, trace = sys.argv[1:]
pool = ProtoFactory(PlatformDelegate()).descriptor_pool
message = lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName("perfetto.protos." + name))
Stream, Rpc = message("TraceProcessorRpcStream"), message("TraceProcessorRpc")
requests = []


def ask(method, **content):
    stream = Stream()
    one = stream.msg.add(seq=len(requests), request=Rpc.TraceProcessorMethod.Value(method))
    for field, value in content.items():
        setattr(one, field, value) if isinstance(value, bytes) else getattr(one, field).CopyFrom(value)
    requests.append(stream.SerializeToString())


def rows(result, names):
    row = []
    for batch in result.batch:
        cell = batch.DESCRIPTOR.enum_types_by_name["CellType"].values_by_number
        of = {"CELL_VARINT": iter(batch.varint_cells), "CELL_FLOAT64": iter(batch.float64_cells),
              "CELL_STRING": iter(batch.string_cells.split("\0"))}
        for kind in batch.cells:
            row.append(next(of[cell[kind].name]) if cell[kind].name in of else None)
            if len(row) == names:
                yield row
                row = []


queries = [
    "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
    "select thread.name, slice.name, count(*), sum(slice.dur) from slice join thread_track on slice.track_id = thread_track.id "
    "join thread using (utid) group by 1, 2 order by 1, 2",
]
ask("TPM_APPEND_TRACE_DATA", append_trace_data=pathlib.Path(trace).read_bytes())
ask("TPM_FINALIZE_TRACE_DATA")
for query in queries:
    ask("TPM_QUERY_STREAMING", query_args=message("QueryArgs")(sql_query=query))

with tempfile.TemporaryDirectory() as folder:
    sent, came = pathlib.Path(folder, "requests"), pathlib.Path(folder, "answers")
    sent.write_bytes(b"".join(struct.pack("<I", len(one)) + one for one in requests))
    script = pathlib.Path(__file__).with_name("perfetto.js")
    ran = subprocess.run(["node", script, page, sent, came], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit("perfetto: " + ran.stderr[-2000:])
    stream = Stream()
    stream.ParseFromString(came.read_bytes())

answers = []
for one in stream.msg:
    if one.fatal_error or one.append_result.error or one.query_result.error:
        sys.exit("perfetto: " + (one.fatal_error or one.append_result.error or one.query_result.error))
    if one.HasField("query_result"):
        answers.append((len(one.query_result.column_names), one.query_result))
# An answer may have several parts: only the first names the columns.
results = []
for names, result in answers:
    if names:
        results.append((names, []))
    results[-1][1].extend(rows(result, results[-1][0]))
wrong, slices = (found for _, found in results)
if wrong:
    sys.exit(f"perfetto: {wrong}")
for row in slices:
    print(*row, sep="\t")
