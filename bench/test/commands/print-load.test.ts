import t from 'tap'
import { printLoad, ratiosOf } from '#src/commands/print-load.ts'

const run = (server: number, database: number | null, throughput: number) => ({
  server,
  database,
  throughput,
  generator: 1,
  p99: 2
})

t.test('a line has the medians of both parts, the ratios of the rounds and how far they spread', async (t) => {
  const runs = {
    handwritten: [run(50, 30, 2000), run(48, 30, 2000), run(52, 30, 2000)],
    modelwire: [run(100, 60, 1000), run(96, 60, 1000), run(104, 60, 1000)]
  }
  const [, , line] = printLoad([{ name: 'W1', title: 'read by id', runs }]).split('\n')
  t.match(
    line,
    /^W1 read by id +rows +50\.0 \+ 30\.0 = 80\.0 ±3 % +100 \+ 60\.0 = 160 ±3 % +0\.500 ±0 % +2,000 ±0 % +1,000 ±0 % +0\.500 ±0 % +2\.00 \| 2\.00 +1\.00$/
  )
})

t.test('the limit is the better of the hand-written servers: in CPU of all, and in requests a second', async (t) => {
  const runs = {
    handwritten: [run(100, 20, 3000)],
    'handwritten-json': [run(10, 80, 2000)],
    modelwire: [run(90, 90, 1500)]
  }
  t.match(ratiosOf(runs), { cpu: { median: 0.5 }, throughput: { median: 0.5 } })
  t.match(printLoad([{ name: 'W4', title: 'x', runs }]), /JSON +10\.0 \+ 80\.0 = 90\.0/)
})

t.test('what spreads by more than a tenth is not measured', async (t) => {
  const throughputs = [1000, 2000, 3000, 4000]
  const runs = {
    handwritten: throughputs.map(() => run(50, 0, 1000)),
    modelwire: throughputs.map((throughput) => run(50, 0, throughput))
  }
  const text = printLoad([{ name: 'W1', title: 'x', runs }])
  t.match(text, /1\.00 ±0 % +1,000 ±0 % +2,500 ±40 %, not measured +2\.50 ±40 %, not measured/)
  t.match(text, /0\.250$/, 'the slowest of its runs beside the quickest')
})

t.test(
  'without a database only the server has costs, and other frameworks have columns only where they took part',
  async (t) => {
    const runs = { handwritten: [run(50, 0, 1)], modelwire: [run(50, 0, 1)] }
    const text = printLoad([{ name: 'W1', title: 'x', runs }])
    t.notMatch(text, /LoopBack|limit|\+/)
    const lines = [
      { name: 'W1', title: 'x', runs: { ...runs, loopback: [run(38_000, 0, 26)] } },
      { name: 'W4', title: 'y', runs }
    ]
    t.match(printLoad(lines), /LoopBack 3 µs[^]*38,000 ±0 % +26\.0 ±0 %[^]*left out/)
  }
)

t.test('where the database cannot be seen only requests a second are compared', async (t) => {
  const runs = { handwritten: [run(50, null, 1000)], modelwire: [run(50, null, 500)] }
  const [, , line] = printLoad([{ name: 'W1', title: 'x', runs }]).split('\n')
  t.match(line, /50\.0 \+ – = – +50\.0 \+ – = – +not measured +1,000 ±0 % +500 ±0 % +0\.500 ±0 %/)
})
