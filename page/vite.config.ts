import { defineConfig } from "vite";

// The server ships what is built here; `npm run dev` passes the API on to a server that runs beside it.
export default defineConfig({
  build: {
    outDir: "../src/astragal/serve/page",
    emptyOutDir: true,
    target: "es2022",
    // Nothing is inlined: the content policy allows scripts and styles from files only.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
});
