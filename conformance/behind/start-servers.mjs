// A real LoopBack 3.28 and `modelwire serve --behind` before it, on one folder and one database.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const command = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

/** The application, with LoopBack's packages and Modelwire's connector beside it. */
export function makeFolder(loopback) {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-behind-'))
  cpSync(join(here, 'app'), dir, { recursive: true })
  cpSync(join(loopback, 'node_modules'), join(dir, 'node_modules'), { recursive: true })
  mkdirSync(join(dir, 'node_modules/@modelwire'), { recursive: true })
  const connector = createRequire(import.meta.url).resolve('@modelwire/connector-postgresql/package.json')
  rmSync(join(dir, 'node_modules/@modelwire/connector-postgresql'), { recursive: true, force: true })
  symlinkSync(dirname(connector), join(dir, 'node_modules/@modelwire/connector-postgresql'))
  return dir
}

/** Starts a process and waits until `url` answers. */
export async function start(args, url, env) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (text = (text + part).slice(-20_000)))
  const latest = Date.now() + 60_000
  while (Date.now() < latest && child.exitCode === null) {
    try {
      await fetch(url)
      return { child, text: () => text }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  child.kill('SIGKILL')
  throw new Error(`${args.join(' ')} does not answer at ${url}:\n${text}`)
}

/** Ends a process that was started here. */
export async function end({ child }) {
  if (child.exitCode !== null) return child.exitCode
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return ended
}

export const startOld = (dir, port, env) =>
  start([join(dir, 'server/server.js')], `http://127.0.0.1:${port}/`, { ...env, PORT: String(port), HOST: '127.0.0.1' })

export function startNew(dir, { port, old, control, token }, env) {
  const own = ['serve', dir, '--port', String(port), '--host', '127.0.0.1', '--log-level', 'warn']
  const before = ['--behind', `http://127.0.0.1:${old}`, '--control-port', String(control), '--reads', 'Book.search']
  const args = old === undefined ? own : own.concat(before)
  return start([command].concat(args), `http://127.0.0.1:${port}/`, { ...env, MODELWIRE_CONTROL_TOKEN: token })
}
