// What a first visit of the table page loads, compressed: the page, its styles, and the scripts it needs at once.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync, brotliCompressSync } from "node:zlib";

const root = new URL("../src/astragal/serve/page/", import.meta.url);
const read = (name) => readFileSync(new URL(name, root));
const assets = readdirSync(new URL("assets/", root));
const manifest = JSON.parse(read(".vite/manifest.json"));

/** A chunk and everything that it imports at once. */
function closure(key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const next of chunk.imports ?? []) closure(next, found);
  return found;
}

const first = closure("index.html");
for (const key of Object.keys(manifest)) if (key.endsWith("src/table/table-page.ts")) closure(key, first);
let [zipped, small] = [0, 0];
for (const name of ["index.html", ...first]) {
  const text = read(name);
  const [gzip, brotli] = [gzipSync(text, { level: 9 }).length, brotliCompressSync(text).length];
  zipped += gzip;
  small += brotli;
  console.log(`${String(gzip).padStart(8)} ${String(brotli).padStart(8)}  ${name}`);
}
console.log(`${String(zipped).padStart(8)} ${String(small).padStart(8)}  in all (gzip, brotli); ${assets.length} files are built`);
if (zipped > 60_000) {
  console.error("The first load of the table page is over 60 kB.");
  process.exit(1);
}
