import type { Texts } from './page-texts.ts';

const askAgain = 'Or only part of it was copied: open the link in the message itself.';

export const english: Texts = {
  language: 'en',
  pages: {
    enrol: {
      title: 'Join {workspace}',
      text: 'We will send you a link to confirm your e-mail address.',
      submit: 'Join',
      done: {
        title: 'Almost there',
        text: 'Open the link in the message that we sent you within 7 days. Look among unwanted mail, too.',
      },
      invalid: {
        title: 'This form is not open',
        text: 'It was closed, or the address is not complete. Ask where you found it for a new link.',
      },
    },
    'confirm-enrollment': {
      title: 'Confirm that you join',
      text: 'This proves that the e-mail address is yours.',
      submit: 'Confirm',
      done: { title: 'Welcome', text: 'Your e-mail address is confirmed. You can close this page.' },
      invalid: {
        title: 'This link does not work any more',
        text: `It was used already, or is older than 7 days: join again to get a new one. ${askAgain}`,
      },
    },
    'confirm-email': {
      title: 'Confirm your e-mail address',
      text: 'This proves that the e-mail address is yours.',
      submit: 'Confirm',
      done: { title: 'Address confirmed', text: 'You can close this page and go on where you were.' },
      invalid: {
        title: 'This link does not work any more',
        text: `It was used already, or is too old: sign in and ask for a new one. ${askAgain}`,
      },
    },
    'reset-password': {
      title: 'Set a new password',
      text: 'Every device that is signed in to your account will be signed out.',
      submit: 'Set password',
      done: { title: 'Password changed', text: 'Sign in with your new password.' },
      invalid: {
        title: 'This link does not work any more',
        text: `It was used already, or is older than 60 minutes: ask for a new one. ${askAgain}`,
      },
    },
    invitation: {
      title: 'Join the team of {workspace}',
      text: '',
      submit: 'Accept',
      done: { title: 'You have joined', text: 'Sign in with your e-mail address and this password.' },
      invalid: {
        title: 'This invitation does not work any more',
        text: `It was used, withdrawn, or is older than 7 days: ask to be invited again. ${askAgain}`,
      },
    },
    'sign-in': {
      title: 'Sign in',
      text: 'You asked for this link to sign in on this device.',
      submit: 'Sign in',
      done: { title: 'You are signed in', text: 'You can close this page and go on where you were.' },
      invalid: {
        title: 'This link does not work any more',
        text: `It was used already, or is older than 10 minutes: ask for a new one. ${askAgain}`,
      },
    },
    unsubscribe: {
      title: 'Unsubscribe',
      text: 'You will get no more marketing messages at this e-mail address.',
      submit: 'Unsubscribe',
      done: { title: 'Unsubscribed', text: 'You will get no more marketing messages at this address.' },
      invalid: {
        title: 'This link is not complete',
        text: 'Only a part of it was copied: open the link in the message itself.',
      },
    },
    preferences: {
      title: 'Your choices at {workspace}',
      text: 'Choose what you agree to. Nothing changes until you save.',
      submit: 'Save',
      done: { title: 'Saved', text: 'Your choices are saved. You can close this page.' },
      invalid: {
        title: 'This link is not complete',
        text: 'Only a part of it was copied: open the link in the message itself.',
      },
    },
  },
  fields: {
    email: { label: 'E-mail address', rule: 'Such as ada@example.com.' },
    fullName: { label: 'Name' },
    phone: { label: 'Phone number', rule: '5 to 15 digits, with an optional leading +.' },
    birthOn: { label: 'Date of birth' },
    referralCode: { label: 'Code of whoever invited you' },
    newPassword: { label: 'New password', rule: '10 to 200 characters, and hard to guess.' },
    name: { label: 'Your name' },
    password: { label: 'Password', rule: '10 to 200 characters, and hard to guess.' },
  },
  consentsTitle: 'I agree to',
  consents: {
    PRECISE_LOCATION: 'the use of my exact location',
    EMAIL_MARKETING: 'news and offers by e-mail',
    PROFILING: 'predictions about what I may like',
  },
  optional: 'optional',
  noScript: 'This page needs JavaScript. Switch it on, then load the page again.',
  preferences: {
    everything: 'Unsubscribe from everything',
    more: 'Choose what you agree to',
  },
  brokenLink: {
    title: 'This link does not work',
    text: 'It is not complete, or somebody changed it: open the link in the message itself.',
  },
  oldDownload: {
    title: 'This link has expired',
    text: 'A link to a file works for fifteen minutes. Ask for another one in the back office.',
  },
  later: {
    title: 'This does not work right now',
    text: 'Something went wrong on our side. Open the link again in a moment.',
  },
  noForm: {
    title: 'Joining is not open yet',
    text: 'There is no form to join by at present. Keep the code, and ask whoever gave it to you.',
  },
  unreachable: { title: 'The page could not be loaded', text: 'Check your connection, then try again.' },
  retry: 'Try again',
  toApp: 'Sign in to the back office',
  wallet: {
    done: {
      title: 'Thank you',
      text: 'Your payment was received. The credits are in the wallet in a moment; you can close this page.',
    },
    cancelled: { title: 'Nothing was paid', text: 'The payment was cancelled. You can close this page.' },
  },
  messages: {
    loading: 'Loading …',
    working: 'One moment …',
    offline: 'There is no connection. Nothing was lost: try again.',
    failed: 'Something went wrong on our side. Try again in a moment.',
    tooMany: 'Too many attempts. Try again in {seconds} seconds.',
    required: 'Fill this in.',
    invalid: 'Check this.',
    saved: 'Your choices are saved.',
    knownAccount: 'You have an account with this e-mail address: enter its password.',
    newAccount: 'Choose a password: it is for a new account with this e-mail address.',
    mailIsFinal: 'If you switch off news and offers by e-mail, you cannot switch them on again here.',
    unsubscribed:
      'You have unsubscribed from news and offers by e-mail. They cannot be switched on again here.',
    weakPassword: 'Choose one of 10 to 200 characters that is harder to guess.',
    wrongPassword: 'The password is not the one of the account with this e-mail address.',
    wrongCode: 'There is no such code: check it, or leave it out.',
  },
};
