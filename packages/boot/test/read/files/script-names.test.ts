import t from 'tap'
import { mixinName } from '#src/read/files/script-names.ts'

const names: Readonly<Record<string, string>> = {
  stamp: 'Stamp',
  'time-stamp': 'TimeStamp',
  time_stamp: 'TimeStamp',
  timeStamp: 'TimeStamp',
  'time.stamp': 'TimeStamp',
  'time stamp': 'TimeStamp',
  TIMEStamp: 'TimeStamp',
  timestamp2x: 'Timestamp2x',
  'time-2stamp': 'Time2stamp',
  '-x-': 'X',
  URLThing: 'UrlThing',
  ABC_Def: 'AbcDef'
}

for (const [file, name] of Object.entries(names)) {
  void t.test(`${file} makes the mixin ${name}`, async (t) => {
    t.equal(mixinName(file), name)
  })
}
