import t from 'tap'
import { restOptions } from '#src/config/rest-options.ts'

void t.test('nothing is asked for where nothing is set', async (t) => {
  t.strictSame(restOptions(), { json: {}, urlencoded: {} })
})

void t.test('the keys of remoting become options of rest', async (t) => {
  const options = restOptions({
    rest: {
      xml: true,
      supportedTypes: ['json'],
      arrayItemDelimiters: [','],
      normalizeHttpPath: true,
      handleUnknownPaths: false
    },
    json: { strict: true, limit: '1mb' },
    urlencoded: { extended: true, limit: 10, parameterLimit: 5 },
    sharedMethods: { '*': false }
  })
  t.strictSame(options, {
    answersXml: true,
    supportedTypes: ['json'],
    arrayItemDelimiters: [','],
    normalizeHttpPath: true,
    notFound: false,
    json: { strict: true, limit: '1mb' },
    urlencoded: { limit: 10, parameters: 5 },
    sharedMethods: { '*': false }
  })
})
