import t from 'tap'
import { metricIn } from '#src/soak/take-samples.ts'

const text = `# HELP nodejs_heap_size_used_bytes Process heap size used from Node.js in bytes.
nodejs_heap_size_used_bytes 123456
nodejs_heap_size_used_bytes_more 7
nodejs_gc{kind="major"} 3
`

t.test('a metric is found by its whole name', async (t) => {
  t.equal(metricIn(text, 'nodejs_heap_size_used_bytes'), 123_456)
  t.equal(metricIn(text, 'nodejs_heap'), undefined)
})
