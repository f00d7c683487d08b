import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { lockFile } from '#src/file/lock-file.ts'
import { makeDataFolder } from '../fixtures/data-folder.ts'

const locked = { code: 'DATA_FILE_LOCKED' }

void t.test('one file has one lock', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const unlock = await lockFile(file)
  await t.rejects(lockFile(file), locked)
  await unlock()
  const again = await lockFile(file)
  await again()
  t.same(await readdir(join(file, '..')), [])
})

void t.test('of several that want it at once one gets it', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockFile(file)))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

void t.test('the lock of a living process is respected, that of a dead one taken over', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(child, 'spawn')
  const status = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '')
  const started = status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'
  await writeFile(`${file}.lock`, `${child.pid} ${started}`)
  await t.rejects(lockFile(file), locked)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const unlock = await lockFile(file)
  await unlock()
})

void t.test(
  'a lock whose process id belongs to another process now is taken over',
  { skip: process.platform !== 'linux' && 'start times are read from /proc' },
  async (t) => {
    const file = join(await makeDataFolder(t), 'data.json')
    await writeFile(`${file}.lock`, `${process.pid} 1`)
    const unlock = await lockFile(file)
    await unlock()
  }
)

void t.test('a lock that says nothing is taken over', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  await writeFile(`${file}.lock`, '')
  const unlock = await lockFile(file)
  await unlock()
  t.same(await readdir(join(file, '..')), [])
})
