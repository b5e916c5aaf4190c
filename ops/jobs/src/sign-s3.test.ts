import { signS3 } from './sign-s3.ts'

it('signs the example of the S3 documentation as it is signed there', () => {
  const headers = signS3({
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/?lifecycle='),
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    now: new Date('2013-05-24T00:00:00.000Z'),
  })
  expect(headers['authorization']).toMatch(
    /Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543$/,
  )
})
