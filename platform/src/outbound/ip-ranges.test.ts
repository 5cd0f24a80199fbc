import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLocalName, isLoopbackAddress, isPublicAddress, networkOf } from './ip-ranges.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['unspecified', '::'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ['link-local and cloud metadata', '169.254.0.1', '169.254.169.254', '168.63.129.16', 'fe80::1', 'febf::1'],
  ['reserved', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  ['unique local', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
  ['site local', 'fec0::1'],
  ['IPv4 mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe'],
  ['IPv4 compatible', '::127.0.0.1', '::7f00:1'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
  ['6to4', '2002:7f00:1::1', '192.88.99.1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['documentation', '2001:db8::1', '3fff::1'],
  ['unassigned', '4000::1', '1::1', '5f00::1', '100::1'],
  ['with a zone', 'fe80::1%eth0', '2606:4700::1%eth0'],
  ['no address', '', 'localhost', '0x7f.1', '127.1', '1.2.3', '[::1]', '1.1.1.1:80'],
])('%s is not public', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('an IPv4 address and its mapped IPv6 form are judged alike', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
    }),
  );
});

test('names of this machine and of local networks are told apart', () => {
  const local = [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'db',
    'printer.local',
    'metadata.google.internal',
    'x.lan',
  ];
  expect(local.filter((name) => !isLocalName(name))).toEqual([]);
  expect(['example.org', 'localhost.example.org', 'internal.example.org.'].filter(isLocalName)).toEqual([]);
});

test('a loopback address is one in every form', () => {
  const loopback = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'];
  expect(loopback.filter((address) => !isLoopbackAddress(address))).toEqual([]);
  expect(['10.0.0.1', '::2', '::ffff:10.0.0.1', 'localhost', ''].filter(isLoopbackAddress)).toEqual([]);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
