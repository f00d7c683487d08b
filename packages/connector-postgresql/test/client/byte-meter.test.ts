import t from 'tap'
import { ByteMeter } from '#src/client/prepared-query.ts'

const kilobyte = 1024
const meterOf = (bytes: number): ByteMeter => new ByteMeter({ rows: Infinity, bytes, options: { rows: '', bytes: '' } })

void t.test('rows count with all of their bytes', async (t) => {
  const meter = meterOf(1000)
  t.equal(meter.addRow(600), true)
  t.equal(meter.addRow(400), true)
  t.equal(meter.addRow(1), false)
})

void t.test('what comes of a row that has not ended counts, the other messages do not', async (t) => {
  const meter = meterOf(100 * kilobyte)
  t.equal(meter.addBytes(60 * kilobyte), true, 'descriptions')
  t.equal(meter.addRow(90 * kilobyte), true)
  t.equal(meter.addBytes(100 * kilobyte), true, 'the rows of this piece')
  t.equal(meter.addBytes(64 * kilobyte), true)
  t.equal(meter.addBytes(64 * kilobyte), false, 'a row of which 128 kilobytes have come')
})
