/** verify.html, around its script: one file that needs nothing else. */

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>Astragal</title>
<style>
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1e1d1b; background: #fbf7ee; }
label, input, textarea { display: block; width: 100%; box-sizing: border-box; }
label { margin: 1rem 0; font-weight: 600; }
input, textarea { margin-top: .25rem; padding: .5rem; font: inherit; font-weight: 400; border: 1px solid #77726a; border-radius: 6px; background: #fff; }
button { padding: .6rem 1.4rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px; color: #fff; background: #17402f; }
.good { color: #176440; font-weight: 600; } .bad { color: #a81127; font-weight: 600; } .unsure { color: #7a4a00; font-weight: 600; }
.words { font-size: 1.2rem; font-weight: 600; } .number { font-family: monospace; overflow-wrap: anywhere; }
</style>
</head>
<body><script>__SCRIPT__</script></body>
</html>
`;

export const offlinePage = (script: string): string => PAGE.replace("__SCRIPT__", () => script.replaceAll("</script", "<\\/script"));
