//! The lexicon itself: phrases by class, parted by `|`; one that ends in `*` is a stem. English, German, French, Spanish,
//! Portuguese, Italian, Russian, Chinese, Japanese and Korean.

use super::Class;

pub(super) const WORDS: &[(Class, &str)] = &[
    (
        Class::Not,
        "do not|don't|dont|never|must not|mustn't|should not|shouldn't|shall not|without|avoid|cannot|can't|need not|not|refrain from|no need to|nobody|neither|nor",
    ),
    (
        Class::Not,
        "nicht|niemals|nie|ohne|kein|keine|keinen|keinesfalls|ne|n'|jamais|sans|pas|nunca|jamas|sin|nao|sem|non|mai|senza|evita|evite|evitez",
    ),
    (
        Class::Not,
        "не|никогда|без|нельзя|不要|不得|不能|不可|不应|别|请勿|切勿|勿|无需|不必|禁止|しないで|ないで|せずに|ずに|てはいけ|てはなら|ないこと|ない|하지 마|하지마|지 마|지마|말고|말 것|않고|없이|안 된다|안됩니다|마세요",
    ),
    (
        Class::Must,
        "must|always|required to|is required|are required|mandatory|have to|has to|need to|needs to|shall|should|make sure|ensure|be sure to|it is essential|obligatory|remember to|never skip|please|you will|supposed to|obliged to|obligated|will have to|is expected to|are to be|is to be",
    ),
    (
        Class::Must,
        "muss|mussen|musst|immer|unbedingt|zwingend|bitte|sollst|doit|doivent|dois|devez|toujours|obligatoire|imperativement|il faut|debe|debes|deben|siempre|obligatorio|hay que|deve|deves|devem|sempre|e obrigatorio|devi|bisogna|obbligatorio",
    ),
    (
        Class::Must,
        "должен|должна|должны|всегда|обязательно|необходимо|нужно|следует|必须|务必|总是|一定要|应当|请|须|需要|必ず|常に|なければなら|てください|べき|반드시|항상|해야|하세요|하십시오",
    ),
    (
        Class::Tell,
        "tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|revealing|disclose|disclosing|alert|alerting|warn|warning the user|warning them|admit|acknowledge|discuss|say anything|say a word|talk about|bring up|report this|speak of|let the user know|let them know",
    ),
    (
        Class::Tell,
        "sag|sage|sagen|erwahne|erwahnen|informiere|informieren|mitteilen|verrate|verraten|benachrichtig*|dis|dites|dire|mentionne|mentionner|mentionnez|informe|informer|informez|revele|reveler|prevenir|previens|avertir|digas|dile|diga|decir|decirle|menciones|mencionar|informes|informar|reveles|revelar|avises|conte|mencione|diz|dizer|dire|menzionare|menzioni|informare|rivelare|avvisare|dirlo",
    ),
    (
        Class::Tell,
        "сообщай*|сообщать|говори*|говорить|упоминай*|упоминать|рассказывай*|информируй*|уведомля*|раскрывай*|告诉|告知|透露|提及|提到|通知|伝え|知らせ|言及|教え|明か|話さ|말하지|말하|알리|언급|알려|공개하",
    ),
    (
        Class::Show,
        "show|showing|display|displaying|expose|output|print|ask|asking|prompt the user|confirm with|confirming with|consult|consulting|explain|describe|anzeigen|zeige|zeigen|fragen|frage|afficher|affiche|montrer|demander|mostrar|muestres|preguntar|preguntes|perguntar|mostrare|chiedere|показывай*|показывать|спрашива*|显示|展示|询问|表示|見せ|聞か|確認|보여|표시|묻",
    ),
    (
        Class::User,
        "user|users|the human|human operator|operator|end user|end-user|nutzer*|benutzer*|anwender*|utilisateur*|usuario|usuaria|usuarios|utilizador|utente|utenti|пользовател*|用户|使用者|ユーザー|ユーザ|利用者|사용자|유저|anyone|them about|the person|customer",
    ),
    (
        Class::Know,
        "know|be aware|aware of|notice|find out|learn of|be informed|be told|be notified|see this|suspect|erfahren|wissen|merken|bemerken|savoir|sache|apercoive|saber|sepa|enterarse|entere|saiba|perceber|sapere|sappia|accorgersi|знать|узнать|узнал*|заметил*|知道|察觉|发现|得知|知られ|気づか|知ら|모르|알게|눈치",
    ),
    (
        Class::This,
        "this|this step|that you|what you|these|it|the above|about it|your actions|the call|this call|this action|reading|the file|side effect|the transfer|the instruction|instructions|hidden|davon|dies|diese*|das|cela|ceci|cette|esto|ello|isto|isso|questo|cio|об этом|это|этого|этой|此|这|该|这个|このこと|これ|この|이것|이 사실|이를|이 ",
    ),
    (
        Class::Hide,
        "hide|conceal|keep secret|keep this secret|keep it secret|keep this hidden|keep it hidden|keep hidden|keep this private|keep this confidential|keep it confidential|keep this between us|secret from|hidden from|invisible to|not visible to|out of sight of|out of the user's sight|verberge*|verheimliche*|verschweige*|geheim halten|geheim|cacher|cachez|cache cette|garde le secret|dissimule*|oculta|ocultar|ocultes|mantenlo en secreto|esconda|esconder|escondas|mantenha em segredo|nascondi|nascondere|tieni nascosto|скрой|скрыва*|скрыть|держи в тайне|в секрете|втайне|隐藏|隐瞒|保密|瞒着|隠し|隠す|内緒|秘密に|伏せ|숨기|숨겨|비밀로|between us|to yourself|leave no trace|leave no traces|out of the picture|out of the loop|in the dark|suppress|as if nothing happened|as if nothing had happened|as though it had not|as though nothing|as if it had not|pretend that nothing|pretend nothing|stay silent|remain silent|say nothing|keep quiet|keep silent|without a trace",
    ),
    (
        Class::Secretly,
        "secretly|covertly|stealthily|surreptitiously|clandestinely|without the user's knowledge|without user's knowledge|without the user knowing|without the user noticing|without them knowing|without their knowledge|without user awareness|without anyone noticing|unbeknownst to|behind the user's back|without the user's awareness|unnoticed|heimlich|unbemerkt|ohne wissen|ohne dass der nutzer|ohne dass der benutzer|secretement|en secret|en cachette|a l'insu|sans que l'utilisateur|secretamente|en secreto|a escondidas|sin que el usuario|em segredo|sem que o usuario|segretamente|di nascosto|all'insaputa|тайно|тайком|незаметно|скрытно|без ведома|偷偷|悄悄|暗中|秘密地|私下|こっそり|密かに|気づかれない|気付かれない|몰래|은밀히|모르게",
    ),
    (
        Class::Silently,
        "silently|quietly|discreetly|in the background|without asking|without confirmation|without prompting|without notice|stillschweigend|leise|silencieusement|discretement|silenciosamente|discretamente|sin preguntar|sem perguntar|silenziosamente|молча|без подтверждения|默默|静默|黙って|無言で|조용히",
    ),
    (
        Class::Before,
        "before|prior to|first|ahead of|at the start of|at the beginning of|prerequisite|precondition|bevor|vor|zuerst|zunachst|avant|d'abord|antes|primero|primeiro|prima|dapprima|перед|прежде|сначала|в первую очередь|之前|先|首先|前に|まず|最初に|전에|먼저|우선",
    ),
    (
        Class::When,
        "when|whenever|if|every time|each time|any time|anytime|once|after|upon|as soon as|while|wenn|immer wenn|jedes mal|sobald|nachdem|quand|lorsque|chaque fois|des que|apres|cuando|cada vez|si|despues|tras|quando|sempre que|toda vez|depois|se|ogni volta|dopo|когда|каждый раз|если|после|当|每当|每次|如果|之后|时|とき|時|たび|場合|後に|때|때마다|경우|후에",
    ),
    (
        Class::Any,
        "any|every|each|all|any other|all other|other|another|others|else|jede|jedes|jeder|jedem|alle|anderen|andere|anderes|tout|toute|tous|toutes|chaque|autre|autres|cualquier|cada|todas|todos|toda|otra|otras|otro|otros|qualquer|outra|outras|outro|ogni|qualsiasi|tutti|tutte|altri|altro|altra|altre|любой|любого|любым|любых|каждый|каждым|каждого|всех|все|другой|других|другого|другие|任何|所有|每个|每一|其他|其它|すべて|全て|あらゆる|他の|どの|모든|어떤|다른",
    ),
    (
        Class::Tool,
        "tool|tools|function|functions|operation|operations|action|actions|command|commands|api call|api calls|tool call|tool calls|file operation|file operations|task|tasks|werkzeug|werkzeuge|tools|funktion|aktion|aufruf|outil|outils|fonction|action|herramienta|herramientas|funcion|accion|ferramenta|ferramentas|funcao|acao|strumento|strumenti|funzione|azione|operazione|инструмент*|функци*|операци*|действи*|工具|函数|操作|功能|ツール|関数|操作|도구|함수|작업",
    ),
    (
        Class::Call,
        "call|calling|called|invoke|invoking|invoked|use|using|used|run|running|execute|executing|executed|perform|performing|performed|start|starting|trigger|triggering|respond|responding|answer|answering|reply|replying|aufrufen|aufruf|rufe|verwende|verwenden|verwendet|nutze|ausfuhr*|appeler|appelle|appelez|utiliser|utilise|utilisez|llamar|llama|llame|usar|usa|utilizar|ejecutar|invocar|chamar|chame|use|executar|chiama|chiamare|chiamato|usare|eseguire|вызвать|вызови|вызов*|вызыва*|использу*|использова*|выполн*|запуст*|调用|使用|执行|运行|呼び出*|呼び|使う|使用|実行|호출|사용|실행|runs|calls|uses|makes|executes|call of|is made|is requested|ausgefuhrt|demande|se use|si usa|호출할",
    ),
    (
        Class::OtherTool,
        "other tool|other tools|another tool|other server|other servers|other server's|another server|another server's|other function|other functions|built-in|builtin|native tool|default tool|other mcp|tools of other|anderen tools|anderes tool|autre outil|autres outils|otra herramienta|otras herramientas|outra ferramenta|outras ferramentas|altri strumenti|другие инструменты|другого инструмента|其他工具|其它工具|他のツール|다른 도구",
    ),
    (
        Class::Private,
        "the user's|user typed|user writes|user wrote|user said|user has said|what the user|user enters|user's text|their text|the chat|chat|tool results|results of other|every message|each message|the conversation|working directory|source code|source document|customer list|home folder|documents folder|database dump|the session|what they typed|jede nachricht|chaque message|cada mensaje|cada mensagem|ogni messaggio|каждое сообщение|每条消息|すべてのメッセージ|모든 메시지",
    ),
    (
        Class::Mail,
        "email|emails|mail|mails|message|messages|payment|payments|transfer|transfers|invoice|commit|commits|file writes|purchase|order|booking|post|posts|push|write",
    ),
    (
        Class::Gate,
        "nothing else may|no other tool may|no tool may|no other tool can|until this tool|before anything else|start every task|always start here|must start here|comes first|goes first|ahead of all other|ahead of any other|ahead of every other",
    ),
    (
        Class::ThisTool,
        "this tool|this function|it must be called|dieses tool|dieses werkzeug|cet outil|esta herramienta|esta ferramenta|questo strumento|этот инструмент|эту функцию|此工具|本工具|该工具|这个工具|このツール|本ツール|이 도구",
    ),
    (
        Class::Turn,
        "message|messages|response|responses|reply|replies|answer|answers|conversation|conversations|request|requests|turn|turns|session|sessions|interaction|interactions|question|user query|user asks|antwort|antworten|nachricht|nachrichten|anfrage|gesprach|reponse|reponses|requete|conversation|respuesta|respuestas|mensaje|solicitud|conversacion|resposta|mensagem|conversa|pedido|risposta|risposte|messaggio|richiesta|ответ*|сообщени*|запрос*|разговор*|回复|回答|消息|请求|对话|応答|回答|返答|会話|依頼|응답|답변|메시지|요청|대화",
    ),
    (
        Class::Ignore,
        "ignore|disregard|forget|override|overrides|bypass|overrule|supersede|supersedes|disobey|discard|stop following|do not follow|don't follow|take precedence over|takes precedence over|ignoriere|ignorieren|vergiss|missachte|setze dich hinweg|ignore|ignorez|ignorer|oublie|oubliez|ne tiens pas compte|ignora|ignorar|ignores|olvida|olvide|omite|desconsidere|esqueca|ignore|dimentica|ignorare|trascura|игнорируй*|забудь*|пренебреги|отмени|忽略|无视|忘记|忘掉|覆盖|绕过|無視|忘れ|上書き|무시|잊어|잊고|superseded|overridden|are void|no longer apply|do not apply|replaced by",
    ),
    (
        Class::Prior,
        "previous|prior|earlier|above|preceding|existing|original|system|all|any|other|safety|initial|your|former|foregoing|vorherig*|bisherig*|fruhere*|alle|obigen|precedent*|anterieur*|toutes|vos|anterior*|previ*|todas|tus|todos|precedent*|tutte|предыдущ*|прежн*|все|всех|系统|之前|以前|先前|上述|前面|所有|此前|これまで|以前の|前の|全ての|すべての|上記|이전|기존|모든|앞의",
    ),
    (
        Class::Instruction,
        "instruction|instructions|prompt|prompts|guideline|guidelines|directive|directives|system message|system messages|guardrail|guardrails|safety rules|rules|policies|restrictions|constraints|safety measures|orders|anweisung|anweisungen|instruktion*|vorgaben|regeln|consigne|consignes|regles|directives|instruccion|instrucciones|indicaciones|reglas|ordenes|instrucoes|instrucao|regras|orientacoes|istruzioni|istruzione|regole|direttive|инструкци*|указани*|правил*|指令|指示|提示词|规则|命令|プロンプト|ルール|制約|지시|명령|규칙|프롬프트|지침",
    ),
    (
        Class::NewRole,
        "you are now|from now on you|from now on, you|your new role|your new task|your new instructions|new instructions|act as an unrestricted|developer mode|jailbroken|do anything now|you are no longer|pretend you are|pretend to be|switch to admin mode|du bist jetzt|ab jetzt bist du|ab sofort|tu es maintenant|desormais|a partir de maintenant|ahora eres|a partir de ahora|agora voce e|a partir de agora|ora sei|d'ora in poi|теперь ты|отныне|с этого момента|你现在是|从现在开始|从现在起|あなたは今から|今から|これからは|이제부터|지금부터|you have no restrictions|without restrictions|without any restrictions|no longer bound|unrestricted mode|you have no rules",
    ),
    (
        Class::ChatToken,
        "im_start|im_end|endoftext|[inst]|[/inst]|<<sys>>|<</sys>>|eot_id|start_header_id|end_header_id|begin_of_text|<start_of_turn>|<end_of_turn>|<s>[|endofprompt|end_of_turn",
    ),
    (
        Class::SystemTag,
        "<system|</system|<sys>|[system]|[system|[admin]|[developer]|<secret|</secret|<hidden|</hidden|<admin|<root>|<assistant|</assistant|</tool_description|</tool>|</tools>|</description>|<override|system override|system notice:|system message:|system prompt:|system instruction:|admin note:|### system|### instruction|begin system|end of description|<internal|<instructions_for",
    ),
    (
        Class::WeightTag,
        "<important|</important|<critical|<mandatory|<required|<urgent|<warning|[important]|[critical]|<attention|<priority|<note_to|<directive|<rules",
    ),
    (
        Class::Model,
        "note to the model|note to the assistant|note to ai|note for ai|note for the ai|note to llm|note for llm|attention ai|attention llm|attention assistant|dear assistant|dear ai|dear llm|ai agents must|as an ai|if you are an ai|if you are a language model|if you are an llm|ai assistant must|the assistant must|the model must|the agent must|the llm must|the ai must|llms must|instructions for the model|instructions for the assistant|instructions for ai|hinweis an die ki|hinweis fur das modell|note pour l'ia|nota para la ia|nota para el modelo|nota para a ia|nota per l'ia|для модели|для ии|ассистент должен|ai助手|给模型|大模型|aiアシスタント|モデルへ|ai 어시스턴트|모델에게",
    ),
    (
        Class::Read,
        "read|cat|open|load|fetch|get|access|retrieve|extract|grep|dump|collect|gather|scan for|look up|harvest|steal|grab|obtain|list the contents|find|view|type|tail|head|less|lies|lese|lesen|auslesen|offne|hole|sammle|lire|lis|lisez|ouvre|ouvrez|recupere|recuperez|lee|leer|lea|abre|obten|recopila|leia|ler|abra|obtenha|colete|leggi|leggere|apri|recupera|raccogli|прочитай*|прочти*|прочесть|считай|открой|извлеки|собери|получи|读取|读出|打开|获取|查看|收集|提取|読み|読ん|読む|取得|開い|収集|읽|열어|가져|수집|look for|search for|locate|take|pull|scrape",
    ),
    (
        Class::Pass,
        "pass|put|place|include|including|insert|append|attach|embed|provide|supply|paste|add|fill|write|store|copy|quote|prepend|concatenate|ubergib|ubergebe|fuge|anhangen|hange|passe|passez|mets|mettez|ajoute|ajoutez|inclus|incluez|insere|joins|pasa|pase|incluye|incluya|anade|agrega|pon|inserta|adjunta|passe|inclua|adicione|coloque|anexe|passa|includi|aggiungi|inserisci|allega|metti|передай*|передавай*|вставь*|добавь*|включи*|укажи*|помести*|приложи*|传递|传入|传给|附上|附加|放入|填入|包含|写入|渡し|渡す|含め|添付|追加|入れ|付け|貼り|전달|포함|첨부|추가|넣|supplying|passing|providing|appending|attaching|putting|feed|hand|give|recite|repeat|echo|share|reproduce",
    ),
    (
        Class::Send,
        "send|sending|forward|forwarding|post|upload|uploading|submit|transmit|transmitting|email|mail|exfiltrate|leak|deliver|relay|beacon|ship|share|publish|push|curl|sende|senden|schicke|schick|leite|ubermittle|hochladen|lade|envoie|envoyez|envoyer|transmets|transmettez|transferez|televerse|envia|envie|enviar|reenvia|reenvie|manda|sube|transmite|encaminhe|invia|inviare|inoltra|trasmetti|carica|отправь*|отправля*|отправить|перешли*|передай*|загрузи*|выгрузи*|发送|上传|转发|提交|发给|发到|传送|送信|転送|送って|送る|アップロード|보내|전송|업로드|전달|enviarlo|enviarla|enviarlos|envialo|enviala|enviarselo|mandalo|mandar|envie-o|envie-a|inviarlo|inviali|invialo|envoie-le|envoyez-le|schicke es|sende es|mirror|route|hand over|hand|feed|sync|acknowledge|mirrored|forwarded|sending it|leite jede|weiterleiten|转发到",
    ),
    (
        Class::Encode,
        "base64|base 64|encode|encoded|hex-encode|hex encode|url-encode|url-encoded|rot13|obfuscate|steganograph*|zero-width|kodiere|encoder|codifica|codifique|закодируй|编码|エンコード|인코딩|zip|compress|archive",
    ),
    (
        Class::SecretFile,
        "id_rsa|id_ed25519|id_ecdsa|id_dsa|id rsa|id ed25519|~/.ssh|/.ssh/|.ssh folder|.ssh directory|ssh folder|/etc/passwd|/etc/shadow|etc passwd|/etc/sudoers|.aws/credentials|aws/credentials|aws credentials file|.git-credentials|.netrc|.pgpass|.pypirc|.npmrc|.kube/config|kubeconfig|.docker/config.json|.bash_history|.zsh_history|bash history|shell history|.gnupg|.config/gh/hosts.yml|.cursor/mcp.json|.claude.json|claude_desktop_config*|.codeium|.config/claude|wallet.dat|wallet file|keychain|login data|cookies.sqlite|browser cookies|saved passwords|password store|/proc/self/environ|~/.env|/.env|.config/gcloud|application_default_credentials*|/var/run/secrets|secrets.yaml|secrets.yml|credentials.json|service account key|service-account.json|private_key.pem|.pem file|.p12|.kdbx|ntds.dit|system32\\config|\\.ssh\\|appdata\\roaming|gh auth token|security find-generic-password|git credential fill|aws configure export-credentials|output of env|output of printenv|hosts.yml|tax returns|password manager export|output of `env",
    ),
    (
        Class::ConfigFile,
        ".env|.env file|env file|known_hosts|authorized_keys|.ssh/config|.gitconfig|.bashrc|.zshrc|.profile|mcp.json|.vscode/mcp.json|/etc/hosts|/etc/hostname|config.json|.config|id_rsa.pub|id_ed25519.pub|secrets.json|terraform.tfstate|printenv",
    ),
    (
        Class::Secret,
        "password|passwords|api key|api keys|apikey|api_key|api_keys|private key|private keys|secret key|secret keys|secrets|access token|access tokens|auth token|bearer token|session token|session cookie|session cookies|oauth token|tokens|credentials|credential|seed phrase|recovery phrase|mnemonic|passphrase|ssh key|ssh keys|environment variables|env vars|credit card|card number|social security number|cvv|2fa code|one-time code|login details|passwort|passworter|kennwort|zugangsdaten|schlussel|umgebungsvariablen|mot de passe|mots de passe|identifiants|cle api|cles api|cle privee|jeton|variables d'environnement|contrasena|contrasenas|credenciales|clave|claves|clave privada|variables de entorno|senha|senhas|credenciais|chave|chave privada|variaveis de ambiente|credenziali|chiave|chiave privata|variabili d'ambiente|парол*|ключ*|токен*|учетн*|учётн*|переменн* окружения|密码|密钥|私钥|凭证|凭据|令牌|口令|环境变量|パスワード|秘密鍵|認証情報|apiキー|トークン|環境変数|비밀번호|개인 키|개인키|자격 증명|api 키|토큰|환경 변수",
    ),
    (
        Class::Content,
        "content|contents|its content|its contents|file content|full text|output|outputs|result|results|data|everything|transcript|copy|copies|text|value|values|files|file|documents|source code|messages|inhalt|inhalte|daten|dateien|ergebnis|ergebnisse|contenu|contenus|donnees|fichiers|resultat|resultats|contenido|datos|archivos|resultado|resultados|conteudo|dados|arquivos|contenuto|dati|risultato|risultati|содержим*|данные|данных|файл*|результат*|内容|数据|文件|结果|データ|ファイル|結果|内容を|내용|데이터|파일|결과",
    ),
    (
        Class::Context,
        "conversation history|conversation so far|chat history|message history|entire conversation|full conversation|whole conversation|the conversation|this conversation|conversation context|previous messages|prior messages|earlier messages|all messages|user's messages|user messages|user's last message|user's prompt|user prompt|system prompt|system message|system instructions|your instructions|your prompt|your reasoning|chain of thought|chat log|chat transcript|list of tools|available tools|other tools' results|other tools' output|tool results|session context|everything the user|what the user has|context window|whatsapp history|chat_history|conversation_history|system_prompt|gesprachsverlauf|chatverlauf|bisherige unterhaltung|systemprompt|historique de la conversation|historique|conversation complete|prompt systeme|historial|conversacion|prompt del sistema|historico da conversa|conversa inteira|prompt do sistema|cronologia|conversazione|prompt di sistema|история переписк*|историю переписк*|историю чата|история чата|историю диалога|системный промпт|системного промпта|对话历史|聊天记录|对话内容|系统提示|系统提示词|全部对话|会話履歴|会話の履歴|会話全体|会話の全文|システムプロンプト|대화 내용|대화 기록|대화 내역|시스템 프롬프트|user's last|last messages|last ten messages|recent messages|everything said|what was said|every message|all the messages|all user messages|historial completo|conversación completa|todo el historial",
    ),
    (
        Class::Whole,
        "entire|whole|full|complete|verbatim|exact|all of|everything|word for word|in full|unredacted|gesamte*|vollstandig*|komplett*|wortlich|entier|entiere|complet|complete|integral*|integralement|completo|completa|entero|entera|toda|inteiro|inteira|intero|intera|полн*|целиком|всю|весь|дословно|完整|全部|整个|逐字|全文|全体|すべて|全て|전체|전부|모든|unchanged|in full|word by word|as is|unmodified|uncut",
    ),
    (
        Class::Parameter,
        "parameter|parameters|argument|arguments|field|fields|sidenote|param|as input|in the note|query string|query parameter|header|parametre|parametro|параметр*|аргумент*|пол*|参数|字段|引数|パラメータ|フィールド|매개변수|파라미터|인자|필드",
    ),
    (
        Class::Tamper,
        "change|replace|modify|alter|redirect|substitute|rewrite|swap|switch|reroute|divert|overwrite|tamper|andere|ersetze|leite um|remplace|remplacez|modifie|modifiez|change|changez|redirige|cambia|reemplaza|sustituye|modifica|redirige|altere|substitua|troque|mude|sostituisci|cambia|modifica|reindirizza|замени*|измени*|подмени*|перенаправь*|替换|更改|修改|改为|改成|重定向|変更|置き換え|差し替え|書き換え|바꾸|변경|교체|수정|mirror|mirrored|rerouted|redirected|replaced|swapped|substituted|rewritten|multiply|multiplied|raise|raised|round up|rounded up|inflate|alter it|route|adjust|cambialo|바꾸세요",
    ),
    (
        Class::Set,
        "set|add|use|append|include|put|insert|cc|bcc|setze|ajoute|mets|pon|anade|adicione|aggiungi|imposta|добавь*|укажи*|поставь*|设置|添加|加上|設定|追加|설정|추가",
    ),
    (
        Class::Target,
        "recipient|recipients|recipient's|addressee|destination|amount|account|account number|iban|wallet|wallet address|phone number|number|address|email address|path|file path|url|endpoint|to field|branch|remote|registry|beneficiary|payee|empfanger*|zieladresse|betrag|konto|destinataire*|montant|compte|destinatario*|importe|cuenta|monto|valor|conta|importo|conto|получател*|сумм*|счет*|счёт*|адрес*|收件人|收款人|地址|金额|账户|账号|路径|宛先|受信者|送金先|金額|口座|수신자|받는 사람|금액|계좌|주소|link|links|payee|quantity|assignee|to field|hosts|visibility",
    ),
    (
        Class::Defy,
        "regardless of what the user|regardless of the user|no matter what the user|even if the user|whatever the user|instead of what the user|instead of the user's|instead of the one the user|rather than the user's|irrespective of the user|despite the user|against the user|regardless of user|unabhangig davon, was der|egal was der|peu importe ce que|quoi que l'utilisateur|meme si l'utilisateur|sin importar lo que|aunque el usuario|independentemente do que o|mesmo que o usuario|indipendentemente da|anche se l'utente|независимо от того|даже если пользовател*|что бы ни|不管用户|无论用户|即使用户|ユーザーの指示にかかわらず|ユーザーが何を|たとえユーザー|사용자가 무엇을|사용자의 지시와|사용자가 요청하지",
    ),
    (
        Class::Redefine,
        "redefines|redefine|changes the behavior of|changes the behaviour of|modifies the behavior of|modifies the behaviour of|alters the behavior of|changes how|modifies how|replaces the behavior of|overrides the behavior of|overrides the behaviour of|side effect on|side effects on|side effects to the other|side effects on the behavior|supersedes all|andert das verhalten|modifie le comportement|cambia el comportamiento|altera o comportamento|cambia il comportamento|меняет поведение|改变其他工具|改变了|修改其他工具|の動作を変更|동작을 변경",
    ),
    (
        Class::Prefer,
        "instead of|in place of|rather than|prefer this|in preference to|over any other|over all other|the only tool|never use any other|do not use any other|don't use any other|best choice|statt|anstelle|au lieu de|plutot que|en lugar de|em vez de|al posto di|invece di|вместо|代替|而不是|の代わりに|代わりに|대신",
    ),
    (
        Class::Bad,
        "deprecated|insecure|broken|outdated|unsafe|unreliable|obsolete|compromised|vulnerable|inferior|disabled|no longer work*|malicious|veraltet|unsicher|kaputt|obsolete|obsoleto|inseguro|roto|insicuro|устарел*|небезопас*|сломан*|不安全|已弃用|已废弃|過时|过时|非推奨|安全でない|더 이상|안전하지|broken",
    ),
    (
        Class::Detect,
        "detect|detects|detecting|detection|scan|scans|scanning|scanner|flag|flags|block|blocks|prevent|prevents|protect|protects|redact|redacts|mask|masks|audit|audits|attack|attacks|injection|injections|jailbreak|jailbreaks|malicious|phishing|leaked|leaks|exposed|such as|for example|e.g.|examples of|phrases like|attempts to|attempt to|looks for|checks for|warns about|vulnerability|vulnerabilities|sanitize|sanitizes|filter out|erkennt|erkennung|sucht nach|angriff*|detecte|attaque*|detecta|ataque*|rileva|attacc*|обнаружива*|атак*|утечк*|检测|扫描|攻击|注入|検出|検知|攻撃|감지|탐지|공격",
    ),
    (
        Class::Pressure,
        "important|critical|urgent|crucial|mandatory|vital|warning|attention|otherwise|failure to|will fail|won't work|will not work|will crash|will be lost|shut down|be terminated|be deleted|corrupted|security policy|compliance|required by|administrator|authorized|highest priority|top priority|immediately|without exception|no exceptions|at all costs|lives|wichtig|dringend|sofort|andernfalls|sonst|zwingend|urgent|imperatif|immediatement|sinon|importante|urgente|inmediatamente|de lo contrario|imediatamente|caso contrario|immediatamente|altrimenti|важно|срочно|немедленно|иначе|критически|重要|紧急|否则|立即|必要|緊急|さもないと|直ちに|重大|중요|긴급|즉시|그렇지 않으면",
    ),
    (Class::Fetch, "curl|wget|iwr|invoke-webrequest|irm|fetch -o"),
    (Class::Shell, "sh|bash|zsh|iex|python|python3|node|perl|invoke-expression|source"),
    (
        Class::Attack,
        "/dev/tcp/|nc -e|ncat -e|powershell -enc|powershell -e|base64 -d|base64 --decode|rm -rf /|rm -rf ~|mkfifo|crontab -|chmod 4755|sudo su|;curl|; curl|&& curl|$(curl|$(cat|$(whoami|${ifs}|__import__('os')|os.system(|subprocess.|child_process|eval(atob|process.env|document.cookie|localstorage.|rm -rf --no-preserve",
    ),
    (
        Class::Active,
        "<script|javascript:|onerror=|onload=|onclick=|<iframe|<svg on|data:text/html|vbscript:|<img src|<object data|<embed ",
    ),
    (
        Class::Copy,
        "bcc|blind copy|blind carbon copy|cc:|carbon copy|blindkopie|copie cachee|copia oculta|copia nascosta|скрытую копию|скрытая копия|скрытой копии|密送|抄送|ブラインドコピー|숨은 참조",
    ),
];
