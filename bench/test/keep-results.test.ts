import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readFileOf, readResults, writeResults } from '#src/keep-results.ts'
import { parseOptions } from '#src/options.ts'

const origin = { machine: 'a machine', commit: 'abc', date: '2026-11-29' }

t.test('results are gone on with by the same options, and by more rounds of them', async (t) => {
  const json = join(t.testdir(), 'new', 'results.json')
  const options = parseOptions(['--json', json, '--workloads', 'W1', '--database', 'memory,postgresql'])
  t.equal(await readResults(json, options, origin), undefined, 'there are none yet')
  await writeResults(json, { origin, options, done: true, results: [1, 2] })
  t.match(await readResults(json, options, { ...origin, date: '2026-11-30' }), { results: [1, 2], done: true })
  t.match(await readResults(json, { ...options, pairs: 50 }, origin), { results: [1, 2], done: false })
})

t.test('what the same options have not written is refused, with the name of the file', async (t) => {
  const folder = t.testdir({ 'object.json': '{}', 'null.json': 'null', 'broken.json': '{' })
  const json = join(folder, 'results.json')
  await writeResults(json, { origin, options: parseOptions([]), done: false, results: [1] })
  for (const args of [['--connections', '1'], ['--workloads', 'W1'], ['growth']])
    await t.rejects(readResults(json, parseOptions(args), origin), { code: 'BENCH_OPTION_INVALID' })
  for (const name of ['object.json', 'null.json', 'broken.json'])
    await t.rejects(readResults(join(folder, name), parseOptions([]), origin), {
      code: 'BENCH_OPTION_INVALID',
      message: new RegExp(name)
    })
  await writeFile(join(folder, 'empty.json'), '')
  await t.rejects(readResults(join(folder, 'empty.json'), parseOptions([]), origin), { code: 'BENCH_OPTION_INVALID' })
})

t.test('results of another commit or machine are not gone on with, and can be read', async (t) => {
  const json = join(t.testdir(), 'results.json')
  const options = parseOptions([])
  await writeResults(json, { origin, options, done: true, results: [1] })
  await t.rejects(readResults(json, options, { ...origin, commit: 'def' }), {
    message: /commit abc, not of commit def/
  })
  await t.rejects(readResults(json, options, { ...origin, machine: 'other' }), { message: /a machine, not of other/ })
  t.match(await readFileOf(json, options), { origin, results: [1] })
})
