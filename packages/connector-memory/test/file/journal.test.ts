import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openJournal } from '#src/file/journal.ts'
import { makeDataFolder } from '../fixtures/data-folder.ts'

void t.test('lines are written in their order, also when many are given at once', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  const journal = await openJournal(path, 0, false)
  await Promise.all(Array.from({ length: 100 }, (_, at) => journal.append(`${at}\n`)))
  await journal.append('last\n')
  const expected = `${Array.from({ length: 100 }, (_, at) => at).join('\n')}\nlast\n`
  t.equal(await readFile(path, 'utf8'), expected)
  t.equal(journal.size, expected.length)
  await journal.close()
})

void t.test('what is behind the whole lines is cut off before the next one', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  await appendFile(path, 'whole\nhal')
  const journal = await openJournal(path, 6, false)
  await journal.append('next\n')
  await journal.close()
  t.equal(await readFile(path, 'utf8'), 'whole\nnext\n')
})

void t.test('rotation splits the lines where it says', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  const journal = await openJournal(path, 0, false)
  const first = journal.append('1\n')
  let boundary = ''
  const rotated = journal.rotate(`${path}.old`, () => {
    boundary = 'seen'
  })
  const second = journal.append('2\n')
  await Promise.all([first, rotated, second])
  t.equal(boundary, 'seen')
  t.equal((await readFile(`${path}.old`, 'utf8')) + (await readFile(path, 'utf8')), '1\n2\n')
  await journal.close()
})

void t.test('a line that could not be written is reported and written with the next one', async (t) => {
  const folder = await makeDataFolder(t)
  const path = join(folder, 'journal')
  const journal = await openJournal(path, 0, false)
  const { close } = journal
  await close()
  await t.rejects(journal.append('1\n'), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  await rm(path)
})
