import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { link, makeEmptyFolder, manifestIn } from '../new-project.ts'

/** The environment of its processes. */
export const env = {
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  NODE_ENV: 'development',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false'
}

/** Waits for what a process prints, and collects all that it prints until then and afterwards. */
async function untilPrinted(child: ChildProcess, pattern: RegExp, printed: string[] = []): Promise<string> {
  let text = ''
  return new Promise((fulfil, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part
        printed.push(part)
        const found = pattern.exec(text)?.[1]
        if (found !== undefined) fulfil(found)
      })
    child.once('exit', () => reject(new Error(`ended too early: ${text}`)))
  })
}

/** Makes a project, runs its tests, starts it as its README says, and asks it. */
export async function tryNewProject(t: Test, style: string): Promise<void> {
  const dir = join(makeEmptyFolder(t), 'My Notes')
  const terminal = fakeTerminal()
  t.equal(await run(['init', dir, '--style', style], terminal), 0)
  t.match(terminal.outText(), /npm install\n {2}npm test\n {2}npm start/)
  t.equal(manifestIn(dir).name, 'my-notes')
  link(dir)
  const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: dir, env })
  t.match(stdout, /pass 2[^]*fail 0/)
  const routes = fakeTerminal()
  t.equal(await run(['routes', dir], routes), 0, routes.errText())
  t.match(routes.outText(), /\/api\/Notes\/:id\/finish/)
  const child = spawn('npm', ['start'], { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  // npm runs the server in a process of its own.
  t.teardown(() => process.kill(-Number(child.pid), 'SIGKILL'))
  const printed: string[] = []
  const url = await untilPrinted(child, /Server listening at (http:\/\/[\d.:]+)/, printed)
  t.equal((await fetch(`${url}/api/Notes`)).status, 401, 'nobody is logged in')
  t.equal((await fetch(`${url}/explorer/`)).status, 200)
  t.equal((await fetch(`${url}/live`)).status, 200)
  t.match(await (await fetch(`${url}/ready`)).json(), { status: 'ready', dataSources: { db: 'up' } })
  t.notMatch(printed.join(''), /"level":[4-6]0/, 'it starts without a warning')
}

// The compiler runs twice, which takes its time on a busy machine.
/** Milliseconds of such a test. */
export const slow = { timeout: 120_000 }
