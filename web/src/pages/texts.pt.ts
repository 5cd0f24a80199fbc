import type { Texts } from './page-texts.ts';

const askAgain = 'Ou só foi copiada uma parte: abra a ligação na própria mensagem.';

export const portuguese: Texts = {
  language: 'pt',
  pages: {
    enrol: {
      title: 'Aderir a {workspace}',
      text: 'Vamos enviar-lhe uma ligação para confirmar o seu endereço de e-mail.',
      submit: 'Aderir',
      done: {
        title: 'Está quase',
        text: 'Abra nos próximos 7 dias a ligação que lhe enviámos. Veja também no lixo eletrónico.',
      },
      invalid: {
        title: 'Este formulário não está aberto',
        text: 'Foi fechado, ou o endereço não está completo. Peça uma nova ligação onde o encontrou.',
      },
    },
    'confirm-enrollment': {
      title: 'Confirme a sua adesão',
      text: 'Assim prova que o endereço de e-mail é seu.',
      submit: 'Confirmar',
      done: {
        title: 'Damos-lhe as boas-vindas',
        text: 'O seu e-mail está confirmado. Pode fechar esta página.',
      },
      invalid: {
        title: 'Esta ligação já não funciona',
        text: `Já foi usada, ou tem mais de 7 dias: volte a aderir para receber outra. ${askAgain}`,
      },
    },
    'confirm-email': {
      title: 'Confirme o seu endereço de e-mail',
      text: 'Assim prova que o endereço de e-mail é seu.',
      submit: 'Confirmar',
      done: { title: 'Endereço confirmado', text: 'Pode fechar esta página e continuar onde estava.' },
      invalid: {
        title: 'Esta ligação já não funciona',
        text: `Já foi usada, ou é demasiado antiga: inicie sessão e peça outra. ${askAgain}`,
      },
    },
    'reset-password': {
      title: 'Definir nova palavra-passe',
      text: 'Todos os dispositivos com sessão iniciada na sua conta vão ser desligados.',
      submit: 'Definir palavra-passe',
      done: { title: 'Palavra-passe alterada', text: 'Inicie sessão com a nova palavra-passe.' },
      invalid: {
        title: 'Esta ligação já não funciona',
        text: `Já foi usada, ou tem mais de 60 minutos: peça outra. ${askAgain}`,
      },
    },
    invitation: {
      title: 'Entrar na equipa de {workspace}',
      text: '',
      submit: 'Aceitar',
      done: { title: 'Já faz parte da equipa', text: 'Inicie sessão com o seu e-mail e esta palavra-passe.' },
      invalid: {
        title: 'Este convite já não funciona',
        text: `Foi usado, retirado, ou tem mais de 7 dias: peça outro convite. ${askAgain}`,
      },
    },
    'sign-in': {
      title: 'Iniciar sessão',
      text: 'Pediu esta ligação para iniciar sessão neste dispositivo.',
      submit: 'Iniciar sessão',
      done: { title: 'Sessão iniciada', text: 'Pode fechar esta página e continuar onde estava.' },
      invalid: {
        title: 'Esta ligação já não funciona',
        text: `Já foi usada ou tem mais de 10 minutos: peça uma nova. ${askAgain}`,
      },
    },
    unsubscribe: {
      title: 'Cancelar a subscrição',
      text: 'Não vai receber mais mensagens de marketing neste endereço de e-mail.',
      submit: 'Cancelar a subscrição',
      done: {
        title: 'Subscrição cancelada',
        text: 'Não vai receber mais mensagens de marketing neste endereço.',
      },
      invalid: {
        title: 'Esta ligação não está completa',
        text: 'Só foi copiada uma parte dela: abra a ligação na própria mensagem.',
      },
    },
    preferences: {
      title: 'As suas escolhas em {workspace}',
      text: 'Escolha aquilo com que concorda. Nada muda até guardar.',
      submit: 'Guardar',
      done: { title: 'Guardado', text: 'As suas escolhas foram guardadas. Pode fechar esta página.' },
      invalid: {
        title: 'Esta ligação não está completa',
        text: 'Só foi copiada uma parte dela: abra a ligação na própria mensagem.',
      },
    },
  },
  fields: {
    email: { label: 'Endereço de e-mail', rule: 'Como ada@example.com.' },
    fullName: { label: 'Nome' },
    phone: { label: 'Número de telefone', rule: '5 a 15 algarismos, com ou sem + no início.' },
    birthOn: { label: 'Data de nascimento' },
    referralCode: { label: 'Código de quem fez o convite' },
    newPassword: { label: 'Nova palavra-passe', rule: '10 a 200 caracteres, difícil de adivinhar.' },
    name: { label: 'O seu nome' },
    password: { label: 'Palavra-passe', rule: '10 a 200 caracteres, e difícil de adivinhar.' },
  },
  consentsTitle: 'Concordo com',
  consents: {
    PRECISE_LOCATION: 'o uso da minha localização exata',
    EMAIL_MARKETING: 'novidades e ofertas por e-mail',
    PROFILING: 'previsões sobre o que me pode interessar',
  },
  optional: 'opcional',
  noScript: 'Esta página precisa de JavaScript. Ative-o e volte a carregar a página.',
  preferences: {
    everything: 'Cancelar tudo',
    more: 'Escolher aquilo com que concordo',
  },
  brokenLink: {
    title: 'Esta ligação não funciona',
    text: 'Não está completa, ou alguém a alterou: abra a ligação na própria mensagem.',
  },
  oldDownload: {
    title: 'Esta ligação expirou',
    text: 'Uma ligação para um ficheiro vale quinze minutos. Peça outra no back office.',
  },
  later: {
    title: 'De momento não é possível',
    text: 'Algo correu mal do nosso lado. Volte a abrir a ligação daqui a pouco.',
  },
  noForm: {
    title: 'A adesão ainda não está aberta',
    text: 'De momento não há formulário de adesão. Guarde o código e pergunte a quem lho deu.',
  },
  unreachable: {
    title: 'Não foi possível carregar a página',
    text: 'Verifique a sua ligação à Internet e tente de novo.',
  },
  retry: 'Tentar de novo',
  toApp: 'Iniciar sessão no back office',
  wallet: {
    done: {
      title: 'Obrigado',
      text: 'O pagamento foi recebido. Os créditos chegam dentro de momentos; pode fechar esta página.',
    },
    cancelled: { title: 'Nada foi pago', text: 'O pagamento foi cancelado. Pode fechar esta página.' },
  },
  messages: {
    loading: 'A carregar …',
    working: 'Um momento …',
    offline: 'Não há ligação à Internet. Nada se perdeu: tente de novo.',
    failed: 'Algo correu mal do nosso lado. Tente de novo daqui a pouco.',
    tooMany: 'Demasiadas tentativas. Tente de novo dentro de {seconds} segundos.',
    required: 'Preencha este campo.',
    invalid: 'Verifique este campo.',
    saved: 'As suas escolhas foram guardadas.',
    knownAccount: 'Tem uma conta com este e-mail: escreva a palavra-passe dela.',
    newAccount: 'Escolha uma palavra-passe: é para uma conta nova com este e-mail.',
    mailIsFinal: 'Se desligar as novidades e ofertas por e-mail, não as pode voltar a ligar aqui.',
    unsubscribed: 'Cancelou as novidades e ofertas por e-mail. Não podem voltar a ser ligadas aqui.',
    weakPassword: 'Escolha uma com 10 a 200 caracteres, mais difícil de adivinhar.',
    wrongPassword: 'A palavra-passe não é a da conta com este e-mail.',
    wrongCode: 'Este código não existe: verifique-o, ou deixe-o em branco.',
  },
};
