import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const skip = process.platform === 'win32' && 'the system does not limit how large a file may become'
const script = join(import.meta.dirname, '../fixtures/update-until-refused.js')
const definition = { name: 'Item', properties: { id: { type: 'number', id: true }, at: 'number', text: 'string' } }

/** What the process printed whose files may have 64 blocks: 32 or 64 KB, by the shell. */
async function runLimited(file: string, end: string): Promise<Readonly<Record<string, unknown>>> {
  const command = `ulimit -S -f 64 && exec "$@"`
  return new Promise((resolve) => {
    execFile('sh', ['-c', command, 'sh', process.execPath, script, file, end], (_error, out) => {
      resolve(JSON.parse(out) as Record<string, unknown>) // what the script writes
    })
  })
}

async function storedAt(t: Test, file: string): Promise<unknown> {
  const { collection } = await openMemory(t, [definition], { file })
  return (await collection('Item').findById(1))?.['at']
}

for (const end of ['kill', 'disconnect'])
  void t.test(
    `a file that cannot grow refuses changes, and none of these is there after ${end}`,
    { skip },
    async (t) => {
      const file = join(await makeDataFolder(t), 'data.json')
      const { at, refused, again, shown } = await runLimited(file, end)
      t.ok(Number(at) > 3, `${String(at)} changes had their place`)
      t.equal(refused, 'DATA_SOURCE_UNAVAILABLE')
      t.equal(again, 'DATA_SOURCE_UNAVAILABLE')
      t.equal(shown, at, 'the record is as the last change left it that was acknowledged')
      t.equal(await storedAt(t, file), at)
    }
  )
