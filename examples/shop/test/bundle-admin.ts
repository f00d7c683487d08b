import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const entry = fileURLToPath(new URL('../test/admin/main.tsx', import.meta.url))

/** The admin of the shop as one script for browsers. */
export async function bundleAdmin(): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent'
  })
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

/** The page that the script fills. */
export const adminPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The shop</title>
<body style="margin: 0"><div id="admin"></div><script type="module" src="/admin.js"></script></body>
</html>`
