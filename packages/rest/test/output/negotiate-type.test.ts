import t from 'tap'
import { createNegotiator } from '#src/output/negotiate-type.ts'

const json = 'application/json; charset=utf-8'
const xml = 'application/xml; charset=utf-8'
const textXml = 'text/xml; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const refused = 'text/plain; charset=utf-8'

const accepts: readonly (readonly [accept: string | undefined, contentType: string])[] = [
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/json', json],
  ['text/html', refused],
  ['text/plain', refused],
  ['application/xml', xml],
  ['APPLICATION/XML', xml],
  ['text/xml', textXml],
  ['application/javascript', json],
  ['text/javascript', json],
  ['application/vnd.api+json', refused],
  ['image/png', refused],
  ['application/*', json],
  ['text/*', json],
  ['*/json', json],
  ['application/json;q=0.5, application/xml;q=0.9', xml],
  ['application/xml;q=0.2, application/json', json],
  ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', xml],
  ['application/xml;q=0.9, */*;q=0.1', xml],
  ['application/json; charset=utf-8', refused],
  ['application/json; charset=utf-8, */*;q=0.1', json],
  ['application/xml;level="a,b", application/json;q=0.1', json],
  ['json', refused],
  ['xml', refused],
  ['garbage', refused],
  [',', refused],
  [';', refused],
  ['*', refused],
  ['application/json,', json],
  ['application/json;q=0', refused],
  ['application/json;Q=0', refused],
  ['application/json;q=', refused],
  ['application/json;q=abc', refused],
  ['application/json;q=1.5', json],
  ['application/json;q="0.5"', json],
  ['application/json;q=0, */*', json],
  ['*/*;q=0', refused],
  ['*/*;q=0, application/xml', xml],
  ['text/html, */*;q=0.1', json],
  ['*/*, application/xml', json],
  ['application/xml, */*', xml],
  ['application/*, application/xml', xml],
  ['text/*, application/*', json],
  ['application/*;q=0.9, text/xml;q=0.8', json],
  ['text/xml, application/json', textXml],
  ['application/json, text/xml', json],
  ['application/json;q=0.5, text/xml;q=0.5', json],
  ['application/xml ; q=0.3 , application/json;q=0.2', xml]
]

t.test('Accept chooses as LoopBack does', async (t) => {
  const negotiate = createNegotiator({ xml: true })
  for (const round of ['first', 'cached']) {
    for (const [accept, contentType] of accepts)
      t.equal(negotiate(accept).contentType, contentType, `${accept} ${round}`)
  }
})

const formats: readonly (readonly [format: unknown, contentType: string])[] = [
  ['json', json],
  ['JSON', json],
  ['xml', textXml],
  ['XML', textXml],
  ['application/json', json],
  ['APPLICATION/XML', xml],
  ['text/xml', textXml],
  ['text/javascript', json],
  ['application/vnd.api+json', 'application/vnd.api+json; charset=utf-8'],
  ['*/*', json],
  ['', json],
  ['html', refused],
  ['text/html', refused],
  ['javascript', refused],
  ['bogus', refused],
  ['constructor', refused],
  [' json', refused],
  ['application/*', refused],
  ['application/json;charset=utf-8', refused],
  ['application/vnd.api-json', refused],
  [['json'], refused],
  [{ a: 'json' }, refused]
]

t.test('_format wins, with XML on or off', async (t) => {
  for (const options of [{ xml: true }, { xml: false }, {}]) {
    const negotiate = createNegotiator(options)
    for (const [format, contentType] of formats)
      t.equal(negotiate(undefined, format).contentType, contentType, String(format))
    t.equal(negotiate('application/json', 'xml').kind, 'xml')
  }
})

t.test('without XML its types are not offered', async (t) => {
  const negotiate = createNegotiator()
  t.equal(negotiate('application/xml').kind, 'none')
  t.equal(negotiate('text/xml').kind, 'none')
  t.equal(negotiate('application/xml, application/json;q=0.1').kind, 'json')
  t.equal(negotiate('text/html, application/xml;q=0.9, */*;q=0.8').kind, 'json')
})

t.test('supportedTypes are answered with themselves, and nothing else is', async (t) => {
  const types = ['application/json', 'application/vnd.api+json', 'application/vnd.api-json', 'application/atom+xml']
  const negotiate = createNegotiator({ xml: true, supportedTypes: types })
  for (const type of types) t.equal(negotiate(type).contentType, `${type}; charset=utf-8`)
  t.equal(negotiate('application/vnd.api-json').kind, 'json')
  t.equal(negotiate('application/atom+xml').kind, 'xml')
  t.equal(negotiate('*/*').contentType, json)
  for (const accept of ['application/xml', 'text/html', 'text/javascript'])
    t.equal(negotiate(accept).kind, 'none', accept)
  t.equal(createNegotiator({ supportedTypes: ['application/vnd.api+json'] })('application/json').kind, 'none')
  t.equal(createNegotiator({ supportedTypes: ['json', 'xml', '*/*'] })('text/xml').kind, 'xml')
})

t.test('types that a browser would run are never offered', async (t) => {
  const negotiate = createNegotiator({ supportedTypes: ['text/html', 'image/svg+xml', 'application/json'] })
  for (const type of ['text/html', 'image/svg+xml']) {
    t.equal(negotiate(type).kind, 'none')
    t.equal(negotiate(undefined, type).kind, 'none')
  }
})

t.test('a script is answered only to a client that names its function, where scripts are on', async (t) => {
  t.equal(createNegotiator({ xml: true })('text/javascript', undefined, 'cb').contentType, json)
  const negotiate = createNegotiator({ xml: true, jsonp: true })
  for (const accept of ['text/javascript', 'application/javascript', 'text/*']) {
    t.strictSame(negotiate(accept, undefined, 'cb'), { kind: 'jsonp', contentType: script }, accept)
    t.equal(negotiate(accept, undefined, ['a', 'b']).kind, 'jsonp')
    for (const callback of [undefined, '', '()', {}, 5])
      t.equal(negotiate(accept, undefined, callback).contentType, json)
  }
  t.equal(negotiate(undefined, 'text/javascript', 'cb').kind, 'jsonp')
  for (const accept of [undefined, '*/*', 'application/json']) t.equal(negotiate(accept, undefined, 'cb').kind, 'json')
  t.equal(negotiate('text/html', undefined, 'cb').kind, 'none')
})

t.test('the cache stays correct when it overflows', async (t) => {
  const negotiate = createNegotiator({ xml: true })
  for (let index = 0; index < 1000; index++) {
    t.equal(negotiate(`text/xml;q=0.5, a/b${index}`).contentType, textXml)
  }
  t.equal(negotiate(`text/xml, ${'a/b,'.repeat(4000)}`).kind, 'xml')
})
