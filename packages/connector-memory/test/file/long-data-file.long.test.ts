import { constants } from 'node:buffer'
import { appendFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

void t.test('a data file may be longer than a text', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  await writeFile(file, '{"ids":{"Item":3},"models":{"Item":{"1":"{\\"name\\":\\"first\\",\\"id\\":1}",')
  const space = Buffer.alloc(64 * 1024 * 1024, ' ')
  for (let size = 0; size <= constants.MAX_STRING_LENGTH; size += space.length) await appendFile(file, space)
  await appendFile(file, '"2":"{\\"name\\":\\"last\\",\\"id\\":2}"}}}')
  const { collection, connector } = await openMemory(t, [{ name: 'Item', properties: { name: 'string' } }], { file })
  t.match(await collection('Item').find(filterOf({})), [{ name: 'first' }, { name: 'last' }])
  await connector.disconnect()
  // What is left of the file takes no room while other tests run.
  await truncate(file)
})
