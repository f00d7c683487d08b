import { testPaths } from './path-rows-tests.ts'

testPaths('SQLite')
testPaths('MongoDB')
