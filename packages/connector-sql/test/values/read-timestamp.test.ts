import t from 'tap'
import { zoneOf } from '#src/values/zone.ts'
import { readTimestamp } from '#src/values/read-timestamp.ts'

const times: Readonly<Record<string, string>> = {
  '2020-01-31 12:30:05+00': '2020-01-31T12:30:05.000Z',
  '2020-01-31 12:30:05.1+00': '2020-01-31T12:30:05.100Z',
  '2020-01-31 12:30:05.123999+00': '2020-01-31T12:30:05.123Z',
  '2020-02-29 23:59:59.5+05:30': '2020-02-29T18:29:59.500Z',
  '1999-12-31 20:00:00-04': '2000-01-01T00:00:00.000Z',
  '1890-01-01 00:00:00+00:53:28': '1889-12-31T23:06:32.000Z',
  '0001-01-01 00:19:32+00:19:32': '0001-01-01T00:00:00.000Z',
  '0099-01-01 00:00:00+00': '0099-01-01T00:00:00.000Z',
  '0044-03-15 00:00:00+00 BC': '-000043-03-15T00:00:00.000Z',
  '12345-01-01 00:00:00+00': '+012345-01-01T00:00:00.000Z',
  '2020-01-31 12:30:05': '2020-01-31T12:30:05.000Z',
  '2020-01-31 12:30:05.123': '2020-01-31T12:30:05.123Z',
  '2020-01-31 12:30:05.5': '2020-01-31T12:30:05.500Z',
  '2020-01-31': '2020-01-31T00:00:00.000Z'
}

for (const [text, expected] of Object.entries(times))
  void t.test(`reads ${text}`, async (t) => t.equal(readTimestamp(text)?.toISOString(), expected))

for (const text of [
  'infinity',
  '-infinity',
  '01/31/2020 12:30:05 UTC',
  '2020-01-31 12:30:05+0x',
  '0000-00-00 00:00:00',
  '2020-00-10 00:00:00',
  '2020-01-00',
  '2020-01-31T12:30:05',
  '2020-13-01',
  '2020-99-99 00:00:00',
  '2020-01-31 25:00:00',
  '2020-01-31 23:60:00',
  '2020-01-31 12:30:15.',
  '2020-01-31 12:30:15+99:99'
])
  void t.test(`reads no time in ${text}`, async (t) => t.equal(readTimestamp(text), undefined))

void t.test('takes a time without a zone for one of the given zone', async (t) => {
  const zone = zoneOf('+02:00')
  t.equal(readTimestamp('2020-01-31 12:30:05', zone)?.toISOString(), '2020-01-31T10:30:05.000Z')
  t.equal(readTimestamp('2020-01-31 12:30:05+00', zone)?.toISOString(), '2020-01-31T12:30:05.000Z')
})
