import { execFile } from 'node:child_process'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { type Files, makeFolder, usualFiles } from '../../make-app.ts'

/** Node lets applications have a say in imports since 22.15. */
const hasHooks = 'registerHooks' in nodeModule

const serverOf = (head: string) => `
  ${head}
  const app = loopback()
  export default app
  boot(app, import.meta.dirname, error => { if (error) throw error })`

const imported = serverOf("import loopback from 'loopback'; import boot from 'loopback-boot'")
const required = serverOf(
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const loopback = require('loopback'), boot = require('loopback-boot')"
)

const filesOf = (script: string): Files => ({
  ...usualFiles,
  'package.json': { type: 'module' },
  'server/server.js': script
})

/** Starts a folder in a process of its own, and gives the answer of its API or the error. */
async function start(dir: string): Promise<{ status?: number; code?: string; message?: string }> {
  const code = `
    const { createServer } = await import(${JSON.stringify(join(import.meta.dirname, '../../../dist/index.js'))})
    try {
      const server = await createServer({ dir: ${JSON.stringify(dir)}, logger: false })
      console.log(JSON.stringify({ status: (await server.inject('/api/Things')).statusCode }))
      await server.close()
    } catch ({ code, message }) { console.log(JSON.stringify({ code, message })) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout) as { status?: number }
}

const refusal = { code: 'SCRIPT_FAILED', message: /createRequire/ }

void t.test('modules of an application import LoopBack, or are told why they cannot', async (t) => {
  const files = filesOf(imported)
  t.match(await start(await makeFolder(t, files)), hasHooks ? { status: 200 } : refusal)
})

void t.test('modules of an application require LoopBack by createRequire', async (t) => {
  const files = filesOf(required)
  t.match(await start(await makeFolder(t, files)), { status: 200 })
})

void t.test('a boot script may be a module', async (t) => {
  const script =
    "import loopback from 'loopback'; export default app => { if (app.loopback.version !== loopback.version) throw new Error('another') }"
  const files = { ...usualFiles, 'server/boot/a.mjs': script }
  t.match(await start(await makeFolder(t, files)), hasHooks ? { status: 200 } : refusal)
})
