import t from 'tap'
import { restOptions } from '#src/assemble/application/rest-options.ts'

void t.test('nothing is asked for where nothing is set', async (t) => {
  t.strictSame(restOptions(), {
    json: {},
    urlencoded: {},
    answersJsonp: true,
    answer: { records: 100_000, bytes: 134_217_728 },
    streams: { perCaller: 1000 }
  })
})

void t.test('the keys of remoting become options of rest', async (t) => {
  const options = restOptions({
    rest: {
      xml: true,
      jsonp: false,
      supportedTypes: ['json'],
      arrayItemDelimiters: [','],
      normalizeHttpPath: true,
      handleUnknownPaths: false
    },
    json: { strict: true, limit: '1mb' },
    urlencoded: { extended: true, limit: 10, parameterLimit: 5 },
    sharedMethods: { '*': false },
    answer: { records: 5 },
    streams: { perProcess: 50 }
  })
  t.strictSame(options, {
    answersXml: true,
    answersJsonp: false,
    supportedTypes: ['json'],
    arrayItemDelimiters: [','],
    normalizeHttpPath: true,
    notFound: false,
    json: { strict: true, limit: '1mb' },
    urlencoded: { limit: 10, parameters: 5 },
    sharedMethods: { '*': false },
    answer: { records: 5, bytes: 134_217_728 },
    streams: { perCaller: 1000, perProcess: 50 }
  })
})
