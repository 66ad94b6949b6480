/// What tills call their columns, in the forms that ``plain(_:)`` gives.
enum ColumnNames {
    /// The letters and digits of a name, in lower case.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// The words of a name such as `Lineitem quantity`, `transaction_qty` or `orderDate`, in lower case.
    static func words(of name: String) -> [String] {
        var words: [String] = [""]
        var wasLower = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                if words.last != "" { words.append("") }
                continue
            }
            if wasLower, character.isUppercase { words.append("") }
            wasLower = character.isLowercase
            words[words.count - 1] += character.lowercased()
        }
        return words.filter { !$0.isEmpty }
    }

    /// Whether a name has one of `parts`: words of a short part, and parts of words of a long one.
    static func has(_ parts: [String], _ name: String) -> Bool {
        let words = words(of: name)
        let plain = plain(name)
        return parts.contains { part in
            words.contains(part) || (part.utf8.count > 3 && plain.contains(part))
        }
    }

    /// Parts of the names of times at which an order is new.
    static let placed = list(
        """
        order placed purchas sale sold transaction bestell auftrag verkauf commande vente pedido venta ordine vendita
        주문 판매 거래 注文 販売 売上 订单 下单 销售 заказ продаж
        """)

    /// Parts of the names of times at which an order is no longer new, or not due yet.
    static let later = list(
        """
        deliver ship paid payment updat modif clos complet finish ended sent fired ready fulfil pickup due expected
        schedul promis cancel refund birth expir import export print versand liefer bezahlt storn livraison entrega
        consegna 배송 배달 결제 취소 완료 수정 配送 支払 更新 付款 发货 достав оплат
        """)

    /// Parts of the names of times of day.
    static let clock = list(
        """
        time uhr uhrzeit zeit heure hora ora tijd tid klo kl aika godz czas saat čas idő 시간 시각 時刻 時間 时间 時 время
        """)

    /// Parts of the names of columns that are no items, whatever is in them.
    static let noItem = list(
        """
        weekday weekdays day days dow wochentag jour dia día giorno dag month monat mois mes mese year hour season daypart
        period shift district borough city town stadt bezirk ville ciudad citta città cidade region area zone zip postal
        address adresse country state location store shop branch filiale outlet venue site terminal register kasse device
        till pos customer client cliente kunde guest member gast user buyer patron employee staff server cashier waiter
        barista kellner mitarbeiter bediener seller payment pay paid card cash tender zahlung zahlart pago paiement method
        currency tax vat table tisch channel source platform origin delivery status state type discount coupon voucher
        promo note notes comment remark memo phone email gender age weather category group class
        요일 지역 구 동 도시 지점 매장 점포 고객 회원 손님 직원 담당 판매자 결제 카드 비고 구분 분류 채널 曜日 地区 店舗 支店 顧客 担当 支払 備考
        星期 区 城市 门店 客户 顾客 员工 支付 备注 город район клиент магазин оплата
        """)

    /// Parts of the names of amounts of money.
    static let money = list(
        """
        price amount total tax cost value revenue gross net tip preis betrag umsatz prix montant precio importe preço valor
        prezzo importo discount 금액 가격 단가 매출 金額 単価 价 额 цена сумма
        """)

    /// Words that make a number of a word for an order.
    static let number = list("id no nr num number code key nummer numéro numero número номер 번호 番号 单号 号")

    static let order = list(
        """
        order orderno ordernumber ordernr orderid transaction transactionno transactionnumber transactionid
        receipt receiptno receiptnumber receiptid invoice invoiceno invoicenumber invoiceid bill billno billnumber
        billid ticket ticketno ticketnumber ticketid check checkno checknumber checkid basket basketid saleid salesid
        tx txid bestellung bestellnummer bestellnr auftrag auftragsnummer beleg belegnr belegnummer bon bonnr bonnummer
        rechnung rechnungsnr rechnungsnummer transaktion vorgang commande nocommande numérodecommande numerodecommande
        facture nofacture pedido nropedido númerodepedido numerodepedido factura recibo comanda ordine numeroordine
        scontrino ricevuta bestelling bestelnummer bonnetje kvitto kvittonr ordrenr paragon zamówienie заказ номерзаказа
        чек номерчека 주문 주문번호 영수증 영수증번호 거래번호 注文 注文番号 伝票番号 レシート番号 订单 订单号 单号
        """)

    static let item = list(
        """
        lineitemname item itemname items product productname article articlename menuitem coffeename coffee juice drink
        beverage dish productdetail itemdescription description producttype name artikel artikelname
        artikelbezeichnung produkt produktname bezeichnung ware getränk getraenk speise produit nomduproduit
        articlevendu libellé libelle désignation designation producto nombreproducto artículo articulo descripción
        descripcion bebida produto descrição descricao prodotto articolo descrizione bevanda omschrijving produktnamn
        vara towar товар наименование блюдо напиток 상품명 상품 품목 메뉴명 메뉴 음료 商品名 商品 品名 品目 メニュー 菜品 产品名称
        产品
        """)

    static let quantity = list(
        """
        quantity qty cups count units pieces pcs itemquantity transactionqty menge anzahl stück stueck stk stückzahl
        quantité quantite qté qte nombre cantidad cant unidades quantidade qtd qtde quantità quantita qta aantal antal
        ilość количество колво кол 수량 개수 数量 個数 点数
        """)

    /// Names of columns that say what became of an order, and parts of names that say that it does not count.
    static let status = list(
        """
        status situacao situação estado statut stato zustand toestand durum статус 상태 状態 状态
        """)

    /// Names of columns that do so only if their texts do.
    static let type = list("type state tipo typ art kind stan 구분 区分 тип")

    /// Parts of words that say that a line does not count.
    static let void = list(
        """
        void refund cancel annul storn rembours erstatt reembols estorn anulad devuel devol rimbors geannul terugbet
        makuler återbet peruut palaut zruš iptal iade anulow zwrot zwróc отмен возврат аннул 취소 환불 반품 무효 キャンセル
        取消 返品 返金 退款 退货 退貨 作废 作廢 returned retourn rückgabe
        """)

    /// Words that turn the meaning of ``void`` round, and parts of words that do in languages without spaces. What is
    /// refunded in part was sold.
    static let notVoid = list("not no nicht kein keine partial partially partly teilweise ohne sin sans non не нет")
    static let notVoidParts = list("미 부분 未 不 没 なし 一部")

    /// The words of rows of totals.
    static let totals: Set<String> = Set(
        list(
            """
            total totals subtotal grandtotal sum summe gesamt gesamtsumme zwischensumme totale totaux soustotal totaal
            suma summa итого всего toplam celkem 합계 총계 소계 총합계 合計 小計 总计 合计
            """))

    private static func list(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
