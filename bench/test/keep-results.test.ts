import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { keepResults } from '#src/keep-results.ts'
import { parseOptions } from '#src/options.ts'

t.test('results are kept as they come, and gone on with', async (t) => {
  const json = join(t.testdir(), 'results.json')
  const options = parseOptions(['--json', json, '--workloads', 'W1'])
  const { results, save } = await keepResults(options, [1])
  results.push(2)
  await save()
  t.match(JSON.parse(await readFile(json, 'utf8')), { results: [1, 2] })
  const more = parseOptions(['--json', json, '--workloads', 'W1', '--pairs', '50'])
  t.same((await keepResults<number[]>(more, [])).results, [1, 2], 'more rounds are no other options')
})

t.test('a file with results of other options is refused, and kept', async (t) => {
  const json = join(t.testdir(), 'results.json')
  const { save } = await keepResults(parseOptions(['--json', json]), [1])
  await save()
  await t.rejects(keepResults(parseOptions(['--json', json, '--connections', '1']), []), {
    code: 'BENCH_OPTION_INVALID'
  })
  t.match(JSON.parse(await readFile(json, 'utf8')), { results: [1] })
})

t.test('a file that is none of ours is refused', async (t) => {
  const json = join(t.testdir({ 'results.json': '{}' }), 'results.json')
  await t.rejects(keepResults(parseOptions(['--json', json]), []), { code: 'BENCH_OPTION_INVALID' })
  const broken = join(t.testdir({ 'broken.json': '{' }), 'broken.json')
  await t.rejects(keepResults(parseOptions(['--json', broken]), []), { code: 'BENCH_OPTION_INVALID' })
})

t.test('without a file nothing is written', async (t) => {
  const { results, save } = await keepResults(parseOptions([]), [1])
  await t.resolves(save())
  t.same(results, [1])
})
