// Bundles the page into a folder: index.html, page.js, page.css. The same sources give the same bytes.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
const tests = process.argv[2] === "--tests";
const out = process.argv[tests ? 3 : 2] ?? "../crates/saltation-page/bundle";
mkdirSync(out, { recursive: true });

const common = { absWorkingDir: here, bundle: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning", jsx: "automatic", jsxImportSource: "preact" };
if (tests) {
  const files = readdirSync("tests").filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, platform: "node", entryPoints: files.map((name) => join("tests", name)), outdir: out, outExtension: { ".js": ".mjs" } });
} else {
  await build({ ...common, platform: "browser", minify: true, entryPoints: { page: "src/main.tsx" }, outdir: out });
  copyFileSync("src/index.html", join(out, "index.html"));
}
