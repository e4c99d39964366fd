import { offlinePage } from "./offline-page.js";
import { build, defineConfig, type Plugin } from "vite";

/** Larger files, such as the 3D dice, are not kept for reading offline. */
const MOST_KEPT = 250_000;

/** Tells the worker which files belong to this build. */
function listFiles(): Plugin {
  return {
    name: "list-files",
    // After Vite has taken out the scripts of which only their styles are left.
    enforce: "post",
    generateBundle(_, bundle) {
      const kept = Object.values(bundle).filter((file) => file.fileName.startsWith("assets/") && size(file) < MOST_KEPT);
      const names = JSON.stringify(kept.map((file) => `/${file.fileName}`).sort());
      const worker = bundle["worker.js"];
      if (worker?.type === "chunk") worker.code = worker.code.replace(/(["'`])__FILES__\1/, () => JSON.stringify(names));
    },
  };
}

/** Writes verify.html: one file with its script inside, which needs nothing else. */
function writeOfflinePage(): Plugin {
  return {
    name: "offline-page",
    apply: "build",
    async generateBundle() {
      const built = await build({
        configFile: false,
        publicDir: false,
        logLevel: "warn",
        build: { write: false, target: "es2022", lib: { entry: "src/verify/offline.ts", formats: ["iife"], name: "verify" } },
      });
      const [first] = Array.isArray(built) ? built : [built];
      const script = first && "output" in first ? first.output[0].code : "";
      this.emitFile({ type: "asset", fileName: "verify.html", source: offlinePage(script) });
    },
  };
}

const size = (file: { type: string; code?: string; source?: string | Uint8Array }) => (file.code ?? file.source ?? "").length;

// The server ships what is built here; `npm run dev` passes the API on to a server that runs beside it.
export default defineConfig({
  plugins: [listFiles(), writeOfflinePage()],
  build: {
    outDir: "../src/astragal/serve/page",
    emptyOutDir: true,
    target: "es2022",
    // Nothing is inlined: the content policy allows scripts and styles from files only.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: "index.html", worker: "src/worker/worker.ts" },
      // The worker answers for the whole site, so it lies at its root under one name.
      output: { entryFileNames: (chunk) => (chunk.name === "worker" ? "worker.js" : "assets/[name]-[hash].js") },
    },
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
});
