// Runs Perfetto's trace processor in node, as its web page runs it in the browser: reads requests from a file, writes answers to another.
//
//   node perfetto.js PAGE REQUESTS ANSWERS      PAGE: a folder with engine_bundle.js and trace_processor.wasm
const fs = require('fs'), path = require('path'), vm = require('vm');
const [page, requests, answers] = process.argv.slice(2);
const node = process;
const file = (url) => fs.readFileSync(path.join(page, path.basename(String(url))));

// The globals of a browser's worker.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function() {};
globalThis.importScripts = () => {};
globalThis.location = {href: 'http://localhost/engine_bundle.js'};
globalThis.fetch = async (url) => new Response(file(url), {headers: {'Content-Type': 'application/wasm'}});
globalThis.XMLHttpRequest = class {
  open(method, url) { this.url = url; }
  send() {
    this.status = 200;
    this.response = new Uint8Array(file(this.url)).buffer;
  }
};
delete globalThis.process;  // otherwise the engine detects node, and refuses to run there

vm.runInThisContext(file('engine_bundle.js').toString(), {filename: 'engine_bundle.js'});
const parts = [], port = {postMessage: (bytes) => parts.push(Buffer.from(bytes))};
self.onmessage({data: port});

// It is ready when it has started the program, but it does not report that, so the script waits.
setTimeout(() => {
  const all = fs.readFileSync(requests);
  for (let at = 0, size; at < all.length; at += size) {
    size = all.readUInt32LE(at);
    at += 4;
    port.onmessage({data: new Uint8Array(all.subarray(at, at + size))});
  }
  fs.writeFileSync(answers, Buffer.concat(parts));
  node.exit(0);
}, 5000);
