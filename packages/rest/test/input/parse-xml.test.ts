import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { parseXml } from '../fixtures/with-defaults.ts'

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)

const cases: readonly (readonly [xml: string, value: unknown])[] = [
  ['', undefined],
  ['<painting><title>L</title></painting>', { title: 'L' }],
  ['<?xml version="1.0" encoding="UTF-8"?>\n<p>\n  <a>1</a>\n  <b>true</b>\n</p>\n', { a: '1', b: 'true' }],
  ['\ufeff<p><a>1</a></p>', { a: '1' }],
  ['<p/>', {}],
  ['<p></p>', {}],
  ['<p>  </p>', {}],
  ['<p>text</p>', 'text'],
  ['<p><a/><b></b></p>', { a: '', b: '' }],
  ['<p><a> x </a></p>', { a: ' x ' }],
  ['<p><t>1</t><u>2</u><t>3</t><t>4</t></p>', { t: ['1', '3', '4'], u: '2' }],
  ['<p><t><x>1</x></t><t/></p>', { t: [{ x: '1' }, ''] }],
  ['<p><a><b><c>1</c></b></a></p>', { a: { b: { c: '1' } } }],
  ['<p><a>null</a><n>007</n></p>', { a: 'null', n: '007' }],
  ['<p><a>&lt;&amp;&gt;&quot;&apos;</a></p>', { a: '<&>"\'' }],
  ['<p><a>&#65;&#x42;&#x1F600;&#10;</a></p>', { a: 'AB😀\n' }],
  ['<p><a>&amp;lt;</a></p>', { a: '&lt;' }],
  ['<p><a>x<![CDATA[<b>&amp;]]>y</a></p>', { a: 'x<b>&amp;y' }],
  ['<p><a><![CDATA[<!DOCTYPE html>]]></a></p>', { a: '<!DOCTYPE html>' }],
  ['<p><!-- <!DOCTYPE x> --><a>1</a><?pi x?></p>', { a: '1' }],
  ['<p a="1"><b c="2">3</b></p>', { b: '3' }],
  ['<p>loose<b>3</b>text</p>', { b: '3' }],
  ['<p><x:a>1</x:a></p>', { 'x:a': '1' }],
  ['<日本><題>絵</題></日本>', { 題: '絵' }]
]

t.test('elements become members, repeated ones lists, leaves texts', async (t) => {
  for (const [xml, value] of cases) t.strictSame(parseXml(xml), value, xml)
})

t.test('what is not well-formed is refused', async (t) => {
  for (const xml of [
    ' ',
    'x',
    '<p>',
    '<p></q>',
    '<p/><q/>',
    '<p><a></p></a>',
    '<p a=1/>',
    '</p>',
    '<p',
    '<p><a>1</a>',
    '<1/>',
    '{"a":1}'
  ]) {
    t.throws(() => parseXml(xml), { code: 'BODY_INVALID', statusCode: 400, name: 'SyntaxError' }, xml)
  }
})

t.test('document types and entities are refused', async (t) => {
  const refused = [
    '<!DOCTYPE p><p/>',
    '<!DOCTYPE p [<!ENTITY x "y">]><p>&x;</p>',
    '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>&x;</p>',
    '<?xml version="1.0"?><!doctype p><p/>',
    '<p><a>&nbsp;</a></p>',
    '<p><a>&x;</a></p>',
    '<p><a>a & b</a></p>',
    '<p><a>&#0;</a></p>',
    '<p><a>&#xD800;</a></p>',
    '<p><a>&#x110000;</a></p>',
    '<p><a>&#99999999999;</a></p>',
    '<p><a>&constructor;</a></p>'
  ]
  for (const xml of refused)
    t.throws(() => parseXml(xml), { statusCode: 400, code: /^(XML_REFUSED|BODY_INVALID)$/ }, xml)
})

t.test('names of the object model are refused', async (t) => {
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), 'prototype']) {
    t.throws(
      () => parseXml(`<p><a><${name}>1</${name}></a></p>`),
      { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 },
      name
    )
  }
})

t.test('another encoding is a 415', async (t) => {
  t.throws(() => parseXml('<?xml version="1.0" encoding="latin1"?><p/>'), {
    code: 'MEDIA_TYPE_UNSUPPORTED',
    statusCode: 415
  })
  t.same(parseXml("<?xml version='1.0' encoding='utf-8'?><p/>"), {})
})

t.test('depth is bounded', async (t) => {
  t.doesNotThrow(() => parseXml(nested(32)))
  t.throws(() => parseXml(nested(40)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => parseXml(nested(10_000)), { code: 'LIMIT_EXCEEDED' })
  t.throws(() => parseXml(nested(5), { depth: 3 }), { code: 'LIMIT_EXCEEDED' })
})

const text = fc.string({ unit: fc.constantFrom('a', '<', '&', '>', '"', ']', ' ', '\n', 'é', '😀') })
const escapeText = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')

t.test('the text of a leaf comes back', async (t) => {
  fc.assert(
    fc.property(text, (value) => {
      t.strictSame(parseXml(`<p><a>${escapeText(value)}</a></p>`), { a: value })
    })
  )
})

t.test('no text makes reading throw anything but a 4xx', async (t) => {
  const part = fc.constantFrom(
    '<a>',
    '</a>',
    '<b',
    '/>',
    '>',
    '<',
    '&lt;',
    '&',
    ';',
    '&#65;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!D',
    '<?x',
    '?>',
    'x',
    ' ',
    '"',
    '='
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 15 }), (parts) => {
      try {
        parseXml(parts.join(''))
        parseXml(`<p>${parts.join('')}</p>`)
      } catch (error) {
        t.match(String((error as { statusCode?: number }).statusCode), /^4/, parts.join(''))
      }
    }),
    { numRuns: runs(1000) }
  )
  t.pass()
})
